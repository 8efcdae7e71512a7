"""Django's admin, with our own admin site. Django loads this module before it can load models."""

from django.contrib.admin import apps

from deploy import checks

__all__ = ["AdminConfig", "checks"]


class AdminConfig(apps.AdminConfig):
    """Use the admin site of Plumbline instead of Django's."""

    default_site = "judging.site.admin_site.AdminSite"

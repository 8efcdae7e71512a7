"""Django's admin with our own site. Django loads this module before the models, so it cannot import them."""

from django.contrib.admin import apps

from deploy import checks

__all__ = ["AdminConfig", "checks"]


class AdminConfig(apps.AdminConfig):
    default_site = "judging.site.admin_site.AdminSite"

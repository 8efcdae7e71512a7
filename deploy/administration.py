"""The app of Django's admin, set up to use our own admin site. This module must not import models.

Django imports this module while loading the apps, before models can be imported.
"""

from django.contrib.admin import apps

from deploy import checks

__all__ = ["AdminConfig", "checks"]


class AdminConfig(apps.AdminConfig):
    """Use the admin site of Plumbline instead of Django's."""

    default_site = "judging.site.admin_site.AdminSite"

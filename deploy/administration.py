"""Which site Django's admin is: ours. Read while apps are being set up: no models may be imported here."""

from django.contrib.admin import apps

from deploy import checks

__all__ = ["AdminConfig", "checks"]


class AdminConfig(apps.AdminConfig):
    default_site = "judging.site.admin_site.AdminSite"

"""Which site Django's admin is: ours. Read while apps are being set up: nothing else may stand here."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):
    default_site = "judging.pages.admin_site.AdminSite"

"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from judging.pages.health import healthz, readyz
from judging.pages.home import home

urlpatterns = [
    path("", home, name="home"),
    path("s/<slug:slug>/", include("judging.pages.worker.urls")),
    path("console/", include("judging.pages.console.urls")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]

"""Addresses below `/console/`."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.pages.console.exports import download
from judging.pages.console.login import ConsoleLogin
from judging.pages.console.studies import studies
from judging.pages.console.study import study

app_name = "console"
urlpatterns = [
    path("", studies, name="studies"),
    path("login/", ConsoleLogin.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("studies/<slug:slug>/", study, name="study"),
    path("studies/<slug:slug>/export/<slug:what>.<slug:form>", download, name="export"),
]

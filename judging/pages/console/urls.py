"""Addresses below `/console/`."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.pages.console.events import events
from judging.pages.console.exports import download
from judging.pages.console.jobs import import_job, job, job_file, job_manifest, jobs
from judging.pages.console.login import ConsoleLogin
from judging.pages.console.payments import code, download_payments, payments
from judging.pages.console.studies import studies
from judging.pages.console.study import study
from judging.pages.console.table1 import table1
from judging.pages.console.workers import worker, workers

app_name = "console"
urlpatterns = [
    path("", studies, name="studies"),
    path("login/", ConsoleLogin.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("code/", code, name="code"),
    path("studies/<slug:slug>/", study, name="study"),
    path("studies/<slug:slug>/payments/", payments, name="payments"),
    path("studies/<slug:slug>/payments.<slug:form>", download_payments, name="download_payments"),
    path("studies/<slug:slug>/table1/", table1, name="table1"),
    path("studies/<slug:slug>/events/", events, name="events"),
    path("studies/<slug:slug>/workers/", workers, name="workers"),
    path("studies/<slug:slug>/workers/<path:pseudonym>/", worker, name="worker"),
    path("jobs/<int:pk>/", import_job, name="import"),
    path("studies/<slug:slug>/jobs/", jobs, name="jobs"),
    path("studies/<slug:slug>/jobs/<int:pk>/", job, name="job"),
    path("studies/<slug:slug>/jobs/<int:pk>/file", job_file, name="job_file"),
    path("studies/<slug:slug>/jobs/<int:pk>/manifest", job_manifest, name="job_manifest"),
    path("studies/<slug:slug>/export/<slug:what>.<slug:form>", download, name="export"),
]

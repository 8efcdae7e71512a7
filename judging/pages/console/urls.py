"""Addresses below `/console/`."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from judging.pages.console.as_worker import as_worker
from judging.pages.console.events import events
from judging.pages.console.exports import download
from judging.pages.console.jobs import import_job, job, job_file, jobs
from judging.pages.console.login import ConsoleLogin
from judging.pages.console.payments import code, download_payments, payments
from judging.pages.console.rehearsing import rehearse, study_archive
from judging.pages.console.setup.anchors import anchors
from judging.pages.console.setup.begin import change, copy, setups
from judging.pages.console.setup.fields import estimate, fields, preview
from judging.pages.console.setup.files import files
from judging.pages.console.setup.overview import archive, overview, study_file
from judging.pages.console.setup.topics import advice, topic, topics
from judging.pages.console.state import state
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
    path("setup/", setups, name="setups"),
    path("setup/preview/", preview, name="setup_preview"),
    path("setup/<int:pk>/", overview, name="setup"),
    path("setup/<int:pk>/study.toml", study_file, name="setup_file"),
    path("setup/<int:pk>/study.zip", archive, name="setup_archive"),
    path("setup/<int:pk>/estimate/", estimate, name="setup_estimate"),
    path("setup/<int:pk>/files/", files, name="setup_files"),
    path("setup/<int:pk>/topics/", topics, name="setup_topics"),
    path("setup/<int:pk>/topic/", topic, name="setup_topic"),
    path("setup/<int:pk>/advice/", advice, name="setup_advice"),
    path("setup/<int:pk>/anchors/", anchors, name="setup_anchors"),
    path("setup/<int:pk>/<slug:section>/", fields, name="setup_fields"),
    path("studies/<slug:slug>/state/<slug:action>/", state, name="state"),
    path("studies/<slug:slug>/rehearse/", rehearse, name="rehearse"),
    path("studies/<slug:slug>/study.zip", study_archive, name="study_archive"),
    path("studies/<slug:slug>/as-worker/<slug:page>/", as_worker, name="as_worker"),
    path("studies/<slug:slug>/copy/", copy, name="copy"),
    path("studies/<slug:slug>/setup/", change, name="study_setup"),
    path("jobs/<int:pk>/", import_job, name="import"),
    path("studies/<slug:slug>/jobs/", jobs, name="jobs"),
    path("studies/<slug:slug>/jobs/<int:pk>/", job, name="job"),
    path("studies/<slug:slug>/jobs/<int:pk>/file", job_file, name="job_file"),
    path("studies/<slug:slug>/export/<slug:what>.<slug:form>", download, name="export"),
]

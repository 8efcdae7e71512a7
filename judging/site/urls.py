"""Addresses below `/console/`."""

from django.contrib.auth.views import LogoutView, PasswordResetDoneView
from django.urls import path

from judging.archive.pages.exports import download, export_manifest
from judging.limits import RESETS_FOR_EMAIL
from judging.payments.pages.payments import code, download_payments, payments
from judging.people.pages.audit import site_audit, study_audit
from judging.people.pages.invitation import invitation
from judging.people.pages.login import ConsoleLogin
from judging.people.pages.members import members
from judging.people.pages.passwords import AskForPassword, ChangePassword, SetPassword
from judging.people.pages.people import people
from judging.setup.pages.actions import change, copy, rehearse, study_archive
from judging.setup.pages.anchors import anchors
from judging.setup.pages.begin import begin
from judging.setup.pages.columns import columns as setup_columns
from judging.setup.pages.files import download as download_setup_file
from judging.setup.pages.files import files
from judging.setup.pages.grades import grades as setup_grades
from judging.setup.pages.overview import archive, overview, study_file
from judging.setup.pages.replace import replace as setup_replace
from judging.setup.pages.settings import estimate, preview, settings
from judging.setup.pages.topic_deletion import remove_topics
from judging.setup.pages.topic_files import import_topics
from judging.setup.pages.topics import advice, topic, topics
from judging.setup.pages.topics import preview as topic_preview
from judging.site.help import help_page
from judging.site.jobs import import_job, job, job_file, job_manifest, jobs
from judging.site.pictures import picture
from judging.site.plan import plan
from judging.site.search import search
from judging.site.set_up import set_up
from judging.site.studies import studies
from judging.site.study import study
from judging.understanding.pages.allocating import decide
from judging.understanding.pages.document import document
from judging.understanding.pages.documents import documents
from judging.understanding.pages.figures import figure, figures
from judging.understanding.pages.files import figure_file, report_table, whole_report
from judging.understanding.pages.grades import grades
from judging.understanding.pages.judges import judge, judges
from judging.understanding.pages.labels import labels
from judging.understanding.pages.papers import papers
from judging.understanding.pages.results import results
from judging.understanding.pages.side_by_side import side_by_side
from judging.understanding.pages.systems import systems
from judging.understanding.pages.understanding import understanding
from judging.watching.pages.events import events
from judging.watching.pages.mend_topic import mend_topic
from judging.watching.pages.quality import quality
from judging.watching.pages.state import state
from judging.watching.pages.table1 import table1
from judging.watching.pages.thresholds import thresholds
from judging.watching.pages.worker_pair import worker_pair
from judging.watching.pages.worker_statistics import worker_statistics
from judging.watching.pages.workers import worker, workers
from judging.worker.pages.previews import preview_study
from judging.worker.pages.way_in import way_in

app_name = "console"
urlpatterns = [
    path("", studies, name="studies"),
    path("login/", ConsoleLogin.as_view(), name="login"),
    path("logout/", LogoutView.as_view(http_method_names=["post"]), name="logout"),
    path("password/", ChangePassword.as_view(), name="password_change"),
    path("password/new/", AskForPassword.as_view(), name="password_ask"),
    path(
        "password/new/asked/",
        PasswordResetDoneView.as_view(
            template_name="people/password_asked.html",
            http_method_names=["get", "head"],
            extra_context={"most_emails": RESETS_FOR_EMAIL.most},
        ),
        name="password_asked",
    ),
    path("password/new/<str:uidb64>/<str:token>/", SetPassword.as_view(), name="password_set"),
    path("invitations/<str:token>/", invitation, name="invitation"),
    path("people/", people, name="people"),
    path("audit/", site_audit, name="site_audit"),
    path("code/", code, name="code"),
    path("help/", help_page, name="help"),
    path("studies/<slug:slug>/", study, name="study"),
    path("studies/<slug:slug>/search/", search, name="search"),
    path("studies/<slug:slug>/set-up/", set_up, name="set_up"),
    path("studies/<slug:slug>/plan/", plan, name="plan"),
    path("studies/<slug:slug>/decide/", decide, name="decide"),
    path("studies/<slug:slug>/members/", members, name="members"),
    path("studies/<slug:slug>/audit/", study_audit, name="audit"),
    path("studies/<slug:slug>/way-in/", way_in, name="way_in"),
    path("studies/<slug:slug>/payments/", payments, name="payments"),
    path("studies/<slug:slug>/payments.<slug:form>", download_payments, name="download_payments"),
    path("studies/<slug:slug>/quality/", quality, name="quality"),
    path("studies/<slug:slug>/quality/topic/", mend_topic, name="mend_topic"),
    path("studies/<slug:slug>/worker-statistics/", worker_statistics, name="worker_statistics"),
    path("studies/<slug:slug>/worker-pair/", worker_pair, name="worker_pair"),
    path("studies/<slug:slug>/thresholds/", thresholds, name="thresholds"),
    path("studies/<slug:slug>/table1/", table1, name="table1"),
    path("studies/<slug:slug>/events/", events, name="events"),
    path("studies/<slug:slug>/workers/", workers, name="workers"),
    path("studies/<slug:slug>/workers/<path:pseudonym>/", worker, name="worker"),
    path("studies/<slug:slug>/understanding/", understanding, name="understanding"),
    path("studies/<slug:slug>/understanding/documents/", documents, name="documents"),
    path("studies/<slug:slug>/understanding/document/", document, name="document"),
    path("studies/<slug:slug>/pictures/<slug:checksum>/", picture, name="picture"),
    path("studies/<slug:slug>/understanding/grades/", grades, name="grades"),
    path("studies/<slug:slug>/understanding/results/", results, name="results"),
    path("studies/<slug:slug>/understanding/arms/", side_by_side, name="arms"),
    path("studies/<slug:slug>/understanding/judges/", judges, name="judges"),
    path("studies/<slug:slug>/understanding/judges/machine/", judge, name="judge"),
    path("studies/<slug:slug>/understanding/judges/labels/", labels, name="labels"),
    path("studies/<slug:slug>/understanding/systems/", systems, name="systems"),
    path("studies/<slug:slug>/understanding/figures/", figures, name="figures"),
    path("studies/<slug:slug>/understanding/figures/<slug:name>/", figure, name="figure"),
    path("studies/<slug:slug>/understanding/papers/", papers, name="papers"),
    path("studies/<slug:slug>/understanding/report.zip", whole_report, name="whole_report"),
    path("studies/<slug:slug>/understanding/reports/<int:pk>.<slug:form>", figure_file, name="figure_file"),
    path("studies/<slug:slug>/understanding/reports/<int:pk>/table.csv", report_table, name="report_table"),
    path("setup/", begin, name="setup"),
    path("studies/<slug:slug>/setup/", overview, name="setup_overview"),
    path("studies/<slug:slug>/setup/change/", change, name="setup_change"),
    path("studies/<slug:slug>/setup/study.toml", study_file, name="setup_file"),
    path("studies/<slug:slug>/setup/study.zip", archive, name="setup_archive"),
    path("studies/<slug:slug>/setup/preview/", preview, name="setup_preview"),
    path("studies/<slug:slug>/setup/estimate/", estimate, name="setup_estimate"),
    path("studies/<slug:slug>/setup/files/", files, name="setup_files"),
    path("studies/<slug:slug>/setup/files/download/", download_setup_file, name="setup_download"),
    path("studies/<slug:slug>/setup/columns/", setup_columns, name="setup_columns"),
    path("studies/<slug:slug>/setup/import-topics/", import_topics, name="setup_import_topics"),
    path("studies/<slug:slug>/setup/replace/", setup_replace, name="setup_replace"),
    path("studies/<slug:slug>/setup/grades/", setup_grades, name="setup_grades"),
    path("studies/<slug:slug>/setup/topics/", topics, name="setup_topics"),
    path("studies/<slug:slug>/setup/topics/delete/", remove_topics, name="setup_delete_topics"),
    path("studies/<slug:slug>/setup/topic/", topic, name="setup_topic"),
    path("studies/<slug:slug>/setup/topic/preview/", topic_preview, name="setup_topic_preview"),
    path("studies/<slug:slug>/setup/advice/", advice, name="setup_advice"),
    path("studies/<slug:slug>/setup/anchors/", anchors, name="setup_anchors"),
    path("studies/<slug:slug>/setup/<slug:section>/", settings, name="setup_settings"),
    path("studies/<slug:slug>/state/<slug:action>/", state, name="state"),
    path("studies/<slug:slug>/rehearse/", rehearse, name="rehearse"),
    path("studies/<slug:slug>/study.zip", study_archive, name="study_archive"),
    path("studies/<slug:slug>/as-worker/", preview_study, name="as_worker"),
    path("studies/<slug:slug>/copy/", copy, name="copy"),
    path("jobs/<int:pk>/", import_job, name="import"),
    path("studies/<slug:slug>/jobs/", jobs, name="jobs"),
    path("studies/<slug:slug>/jobs/<int:pk>/", job, name="job"),
    path("studies/<slug:slug>/jobs/<int:pk>/file", job_file, name="job_file"),
    path("studies/<slug:slug>/jobs/<int:pk>/manifest", job_manifest, name="job_manifest"),
    path("studies/<slug:slug>/export/<slug:what>.<slug:form>", download, name="export"),
    path(
        "studies/<slug:slug>/export/<slug:what>.<slug:form>/manifest", export_manifest, name="export_manifest"
    ),
]

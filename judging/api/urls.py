"""The addresses under `/api/v1/`."""

from django.urls import path, re_path

from judging.api.base_views import UnknownAddress
from judging.api.exports import Exports, JudgmentsExport, JudgmentsManifest, Manifest, OneExport
from judging.api.lists import Events, Gains, Judgments, Topics, Units
from judging.api.results import OneComparison, OneResult
from judging.api.schema import Schema
from judging.api.studies import OneStudy, Studies
from judging.api.token import TokenView

app_name = "api"
urlpatterns = [
    path("schema/", Schema.as_view(), name="schema"),
    path("token/", TokenView.as_view(), name="token"),
    path("studies/", Studies.as_view(), name="studies"),
    path("studies/<slug:slug>/", OneStudy.as_view(), name="study"),
    path("studies/<slug:slug>/result/", OneResult.as_view(), name="result"),
    path("studies/<slug:slug>/arms/", OneComparison.as_view(), name="arms"),
    path("studies/<slug:slug>/topics/", Topics.as_view(), name="topics"),
    path("studies/<slug:slug>/judgments/", Judgments.as_view(), name="judgments"),
    path("studies/<slug:slug>/gains/", Gains.as_view(), name="gains"),
    path("studies/<slug:slug>/units/", Units.as_view(), name="units"),
    path("studies/<slug:slug>/events/", Events.as_view(), name="events"),
    path("studies/<slug:slug>/exports/", Exports.as_view(), name="exports"),
    path(
        "studies/<slug:slug>/exports/judgments.<slug:form>",
        JudgmentsExport.as_view(),
        {"what": "judgments"},
        name="judgments_export",
    ),
    path(
        "studies/<slug:slug>/exports/judgments.<slug:form>/manifest/",
        JudgmentsManifest.as_view(),
        {"what": "judgments"},
        name="judgments_manifest",
    ),
    path("studies/<slug:slug>/exports/<slug:what>.<slug:form>", OneExport.as_view(), name="export"),
    path(
        "studies/<slug:slug>/exports/<slug:what>.<slug:form>/manifest/", Manifest.as_view(), name="manifest"
    ),
    re_path("", UnknownAddress.as_view()),
]

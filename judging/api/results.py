"""The result of a study: which run is best by the study's measure, as the console and its report show it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BooleanField, DateTimeField, IntegerField, JSONField, Serializer

from judging.api.base_views import StudyView
from judging.models import Report, ReportKind, Study
from judging.understanding.selectors.reports import changes_since, find_report
from judging.understanding.selectors.results import find_result


class ResultSerializer(Serializer[Any]):
    """A result, and the judgments that it was computed from."""

    computed_at = DateTimeField(help_text="When the judgments were read.")
    judgments = IntegerField(help_text="The number of judgments that the result was computed from.")
    is_current = BooleanField(help_text="Whether the same units still count.")
    result = JSONField(help_text="The content of `summary.json` in the report of the study.")


class OneResult(StudyView):
    """Get the latest stored result. It is computed in the console, or once all units are done."""

    @extend_schema(
        tags=["studies"], summary="Which run is best, by how much, and how sure", responses=ResultSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        study = self.study()
        found = find_result(study)
        if found is None:
            raise NotFound("The result is not computed yet. Compute it on the page “Results” of the study.")
        return _response(study, found.report, found.result["summary"])


class OneComparison(StudyView):
    """Get the latest stored comparison of the arms. It belongs to the front."""

    @extend_schema(tags=["studies"], summary="The arms of a study side by side", responses=ResultSerializer)
    def get(self, request: Request, slug: str) -> Response:
        front = self.study().entrance
        report = find_report(front, ReportKind.ARMS, {})
        if report is None:
            raise NotFound(
                "The arms are not compared yet, or the study has none. Compute the comparison on the page"
                " “Scales side by side” of the study."
            )
        return _response(front, report, report.content["summary"])


def _response(study: Study, report: Report, result: Any) -> Response:
    return Response(
        {
            "computed_at": report.made_at,
            "judgments": report.seen_judgments,
            "is_current": not changes_since(report, study).changed,
            "result": result,
        }
    )

"""The list of studies, and a single study, with their progress."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base_views import StudyView
from judging.api.lists import PagedView
from judging.api.serializers import StudySerializer
from judging.core import access
from judging.models import GradeSet, Study
from judging.watching.selectors.progress import Progress, study_progress

_UNITS = ("open", "reserved", "done", "retired", "excluded")
# The addresses that lead workers back to their platform are left out, because they contain completion codes.
_FIELDS = (
    "slug",
    "title",
    "state",
    "requester",
    "contact",
    "created_at",
    "opens_at",
    "closes_at",
    "unit_size",
    "judgments_per_document",
    "currency",
    "simulated",
)


@extend_schema(tags=["studies"], summary="The studies that you have access to")
class Studies(PagedView):
    """List the studies with their settings and their progress."""

    queryset = Study.objects.none()
    serializer_class = StudySerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        chosen = self.page(access.visible_studies(request.user))
        return self.get_paginated_response(_rows(Study.objects.filter(pk__in=chosen).order_by("pk")))


class OneStudy(StudyView):
    """Get a study with its settings and its progress."""

    @extend_schema(tags=["studies"], summary="A study", responses=StudySerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_rows([self.study()])[0])


def _rows(studies: Sequence[Study] | QuerySet[Study]) -> list[dict[str, object]]:
    """Return a row for each study. The number of queries does not depend on the number of studies."""
    progress = study_progress(studies)
    sets = defaultdict(list)
    for study, name in (
        GradeSet.objects.filter(study__in=studies).order_by("place").values_list("study_id", "name")
    ):
        sets[study].append(name)
    return [_row(study, progress.get(study.pk, Progress()), sets[study.pk]) for study in studies]


def _row(study: Study, progress: Progress, sets: list[str]) -> dict[str, object]:
    return {
        **{name: getattr(study, name) for name in _FIELDS},
        "pay_per_unit": str(study.pay_per_unit),
        "spending_limit": None if study.spending_limit is None else str(study.spending_limit),
        "grade_sets": sets,
        "units": {name: getattr(progress, name) for name in _UNITS},
        "judgments": progress.judgments,
    }

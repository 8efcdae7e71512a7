"""Everything that makes a study, to see whether two are the same."""

from typing import Any

from judging.core.services.planning import plan_missing_units
from judging.models import Document, GradeSet, KnownGrade, PoolDocument, Question, Ranking, Study, Topic
from judging.models import UnitDocument as Planned

_OWN = ("id", "slug", "state", "created_at", "simulated", "changes_to_id")


def described(study: Study, *, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """The study with all that hangs on it, its plan too, but for its name; `but`: fields passed over."""
    plan_missing_units(study=study)
    fields = Study.objects.filter(pk=study.pk).values().get()
    of = {"topic__study": study}
    return {
        "fields": {name: value for name, value in fields.items() if name not in (*_OWN, *but)},
        "topics": list(
            Topic.objects.filter(study=study)
            .order_by("place")
            .values_list("number", "title", "description", "narrative")
        ),
        "questions": sorted(
            Question.objects.filter(**of).values_list("topic__number", "text", "options", "right_option")
        ),
        "documents": sorted(
            Document.objects.filter(study=study).values_list("document_id", "title", "text", "layout")
        ),
        "pools": sorted(
            PoolDocument.objects.filter(**of).values_list(
                "topic__number", "document__document_id", "grade", "anchor"
            )
        ),
        "grade sets": list(GradeSet.objects.filter(study=study).values_list("name", "place")),
        "grades": sorted(
            KnownGrade.objects.filter(**of).values_list(
                "grade_set__name", "topic__number", "document_id", "value", "level"
            )
        ),
        "runs": sorted(
            Ranking.objects.filter(**of).values_list(
                "run__tag", "topic__number", "document_ids", "scores", "ranks"
            )
        ),
        "plan": list(
            Planned.objects.filter(unit__topic__study=study)
            .order_by("unit__topic__place", "unit__number", "pk")
            .values_list("unit__topic__number", "unit__number", "pool_document__document__document_id")
        ),
    }

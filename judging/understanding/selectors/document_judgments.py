"""Reads the judgments of one document of a topic's pool."""

from collections.abc import Collection
from typing import Final

from django.db.models import F, FloatField, OuterRef, Q, QuerySet, Subquery, Sum

from judging.core.selectors.judgments import accepted_judgments, of_documents, time_spent
from judging.core.selectors.ordering import Sortable, by_columns
from judging.models import Judgment, PoolDocument, Study, Visit

_VISITS = Visit.objects.filter(judgment=OuterRef("pk")).order_by().values("judgment")

JUDGMENTS_BY: Final[dict[str, Sortable]] = {
    "unit": "assignment__unit__number",
    "worker": "assignment__participation__pseudonym",
    "place": F("position"),
    "number": "number",
    "seconds": Subquery(
        _VISITS.annotate(seconds=Sum("seconds")).values("seconds"), output_field=FloatField()
    ),
    "completed": "assignment__ended_at",
}
"""Maps each sort key to the column or expression by which the database sorts a document's judgments.

Judgments with equal values are sorted by unit.
"""


def judgments_of(
    study: Study, pooled: PoolDocument, *, sort: str = "unit", descending: bool = False
) -> QuerySet[Judgment]:
    """Return a document's judgments that count, sorted by a key of `JUDGMENTS_BY`.

    They include those that compare the document with another one. Each judgment comes with its attempt, unit,
    worker and documents.
    """
    # The document implies the topic, but with the topic the database can use the index of attempts.
    judgments = accepted_judgments(study).filter(
        of_documents(study, [pooled.pk]), assignment__topic=pooled.topic_id
    )
    related = (
        "assignment__unit",
        "assignment__participation",
        "pool_document__document",
        "compared_with__document",
    )
    order = by_columns([JUDGMENTS_BY[sort]], descending=descending)
    return judgments.select_related(*related).order_by(*order, "assignment__unit__number", "pk")


def seconds_on(judgments: Collection[int]) -> dict[int, float]:
    """Return a dict from the primary key of each judgment to the total seconds of its visits.

    The server measures the seconds. This takes one query.
    """
    return {pk: spent.seconds for pk, spent in time_spent(Q(judgment__in=judgments)).items()}

"""What workers said of one document of a topic's pool."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from judging.models import Judgment, PoolDocument
from judging.selectors.judgments import accepted_judgments, time_spent


def judgments_of(pooled: PoolDocument) -> QuerySet[Judgment]:
    """The judgments of a document that count, by unit, with their attempts, units and workers."""
    # The topic is named though the document implies it: by it the index of attempts finds these at once.
    found = accepted_judgments().filter(pool_document=pooled, assignment__topic=pooled.topic_id)
    related = ("assignment__unit", "assignment__participation")
    return found.select_related(*related).order_by("assignment__unit__number", "pk")


def seconds_on(judgments: Collection[int]) -> dict[int, float]:
    """Judgment → seconds by the server's clock, over all visits, in one query."""
    return {pk: spent.seconds for pk, spent in time_spent(Q(judgment__in=judgments)).items()}

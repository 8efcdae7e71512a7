"""Reads about the units planned for a topic."""

from django.db.models import Count, QuerySet

from judging.models import Topic, Unit, UnitDocument
from judging.protocol.states import UnitState


def planned_units(topic: Topic) -> QuerySet[Unit]:
    """The units in use. Of one that is collected again only the copy counts, not the original."""
    return Unit.objects.filter(topic=topic, copies__isnull=True).exclude(state=UnitState.RETIRED)


def planned_judgments(topic: Topic) -> dict[str, int]:
    """Document id → how many judgments the units in use give it, anchors left out."""
    return dict(
        UnitDocument.objects.filter(unit__in=planned_units(topic))
        .values_list("pool_document__document__document_id")
        .annotate(units=Count("pk"))
        .order_by()
    )

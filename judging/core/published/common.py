"""Columns that several tables have, and what several read for theirs."""

from typing import Final

from django.db.models import Count, QuerySet

from judging.core.published.base import Column, Kind, Several
from judging.models import PoolDocument
from judging.protocol.checks import unit_checks

TOPIC: Final = Column("the topic's number")
UNIT: Final = Column("the unit: topic number and the unit's number in it, as `401-0007`; unique in the study")
DOCUMENT: Final = Column("the document's id in the collection")
WORKER: Final = Column("the worker's pseudonym in this study")
SIMULATED: Final = Column("whether the worker is one of a simulated crowd")


def failed_columns(meaning: str, unit: str) -> Several:
    """Declare a column of failures for each check at the end of a unit, named in `meaning` as {check}."""
    return Several(
        lambda study: [
            Column(
                meaning.format(check=f"({check.letter}), the {check.name.lower()}"),
                unit,
                name=f"failed_{check.letter}",
                kind=Kind.WHOLE,
                null=True,
            )
            for check in unit_checks()
        ]
    )


def sizes_and_anchors(pool: QuerySet[PoolDocument]) -> tuple[dict[int, int], dict[tuple[int, str], str]]:
    """Return topic → documents in its pool, and (topic, H or N) → the id of its anchor."""
    documents = pool.order_by()
    sizes = documents.values_list("topic_id").annotate(count=Count("pk"))
    anchors = documents.exclude(anchor="").values_list("topic_id", "anchor", "document__document_id")
    return dict(sizes), {(topic, anchor): document for topic, anchor, document in anchors}

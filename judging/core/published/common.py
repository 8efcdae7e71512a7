"""Columns and queries that several tables use."""

from typing import Final

from django.db.models import Count, QuerySet

from judging.core.published.table import Column, Kind, Several
from judging.models import PoolDocument
from judging.protocol.anchor_pairs import gold
from judging.protocol.checks import unit_checks

TOPIC: Final = Column("the topic's number")
UNIT: Final = Column("the unit, such as `401-0007`: the topic's number, then the unit's number in the topic")
DOCUMENT: Final = Column("the document's id in the collection")
GOLD: Final = Column("`H` or `N` for the anchors of the topic, otherwise empty", options=("H", "N", ""))
WORKER: Final = Column("the worker's pseudonym in this study")
INCLUSION: Final = Column("the document's chance to be sampled for judging; 1 without a sample", "chance")
SIMULATED: Final = Column("whether the worker is simulated")


def failed_columns(meaning: str, unit: str) -> Several:
    """Declare a column for each check that runs at the end of a unit.

    Each column holds the number of failures of its check. The letter and name of the check replace the
    placeholder {check} in `meaning`.
    """
    return Several(
        lambda study: [
            Column(
                meaning.format(check=f"({check.letter}: {check.name.lower()})"),
                unit,
                name=f"failed_{check.letter}",
                kind=Kind.WHOLE,
                null=True,
            )
            for check in unit_checks()
        ]
    )


def sizes_and_anchors(pool: QuerySet[PoolDocument]) -> tuple[dict[int, int], dict[tuple[int, str], str]]:
    """Return two dicts: the sizes of the topics' pools, and the document ids of the anchors.

    The keys of the first dict are the primary keys of topics. The keys of the second dict are pairs: the
    primary key of a topic, and the grade of the anchors (H or N). If the topic has two pairs of anchors, the
    value is the id of the first pair, a space, and the id of the second.
    """
    documents = pool.order_by()
    sizes = documents.values_list("topic_id").annotate(count=Count("pk"))
    anchors = documents.exclude(anchor="").values_list("topic_id", "anchor", "document__document_id")
    ids: dict[tuple[int, str], str] = {}
    for topic, anchor, document in sorted(anchors):  # the first pair first
        key = topic, gold(anchor)
        ids[key] = f"{ids[key]} {document}" if key in ids else document
    return dict(sizes), ids

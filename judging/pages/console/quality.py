"""The table of quality events: a row per topic, a column per kind, and their sums."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from judging.models import EventKind, Topic

QUALITY_COLUMNS: Final[dict[EventKind, str]] = {
    EventKind.PRACTICE_FAILED: "(a) Practice",
    EventKind.COMPREHENSION_FAILED: "(b) Question",
    EventKind.ANCHORS_FAILED: "(c) Anchors",
    EventKind.TIME_FAILED: "(d) Time",
    EventKind.ORDER_INVERTED: "Order turned round",
    EventKind.CHECKS_FAILED: "Tries used up",
    EventKind.LAPSED: "Lapsed",
    EventKind.RETURNED: "Returned",
}


@dataclass(frozen=True)
class QualityRow:
    """`counts` follow `QUALITY_COLUMNS`."""

    name: str
    counts: list[int]


def quality_rows(topics: Sequence[Topic], counts: Mapping[tuple[int | None, str], int]) -> list[QualityRow]:
    """The events before any topic, and those of each of these topics."""
    owners: list[tuple[str, int | None]] = [("Before a topic", None)]
    owners += [(str(topic), topic.pk) for topic in topics]
    return [
        QualityRow(name, [counts.get((owner, kind.value), 0) for kind in QUALITY_COLUMNS])
        for name, owner in owners
    ]


def quality_sums(counts: Mapping[tuple[int | None, str], int]) -> QualityRow:
    """The events of all topics and of none, whichever topics are shown."""
    sums: Counter[str] = Counter()
    for (_, kind), count in counts.items():
        sums[kind] += count
    return QualityRow("All", [sums[kind.value] for kind in QUALITY_COLUMNS])

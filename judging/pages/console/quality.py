"""The table of quality events: a row per topic, a column per kind, and their sums."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from judging.models import EventKind, Topic
from judging.protocol.checks import CHECKS

QUALITY_COLUMNS: Final[dict[str, str]] = {check.event: check.heading for check in CHECKS.values()} | {
    EventKind.ORDER_INVERTED: "Order turned round",
    EventKind.CHECKS_FAILED: "Tries used up",
    EventKind.LAPSED: "Lapsed",
    EventKind.RETURNED: "Returned",
}


@dataclass(frozen=True)
class QualityRow:
    """`counts` follow `QUALITY_COLUMNS`; `number` is that of the topic, empty for a row about none."""

    name: str
    counts: list[int]
    number: str = ""


def _count(place: int, row: QualityRow) -> int:
    return row.counts[place]


QUALITY_BY: Final[dict[str, Callable[[QualityRow], Any]]] = {
    "topic": lambda row: row.name,
    **{f"-{kind}": partial(_count, place) for place, kind in enumerate(QUALITY_COLUMNS)},
}
"""What the rows may be sorted by."""


def quality_rows(topics: Sequence[Topic], counts: Mapping[tuple[int | None, str], int]) -> list[QualityRow]:
    """The events of each of these topics."""
    return [_row(str(topic), topic.pk, counts, topic.number) for topic in topics]


def quality_before(counts: Mapping[tuple[int | None, str], int]) -> QualityRow:
    """The events before any topic."""
    return _row("Before a topic", None, counts)


def _row(
    name: str, owner: int | None, counts: Mapping[tuple[int | None, str], int], number: str = ""
) -> QualityRow:
    return QualityRow(name, [counts.get((owner, kind), 0) for kind in QUALITY_COLUMNS], number)


def quality_sums(counts: Mapping[tuple[int | None, str], int]) -> QualityRow:
    """The events of all topics and of none, whichever topics are shown."""
    sums: Counter[str] = Counter()
    for (_, kind), count in counts.items():
        sums[kind] += count
    return QualityRow("All", [sums[kind] for kind in QUALITY_COLUMNS])

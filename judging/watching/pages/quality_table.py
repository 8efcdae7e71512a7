"""The table of quality events: a row per topic, a column per kind, and their sums."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from django.http import HttpRequest
from django.utils.html import format_html

from judging.core.pages.tables import Column, ShownTable, Table
from judging.core.published.events import counts_by_topic
from judging.models import EventKind, Study, Topic
from judging.protocol.checks import CHECKS

KINDS: Final[dict[str, str]] = {check.event: check.heading for check in CHECKS.values()} | {
    EventKind.ORDER_INVERTED: "Order turned round",
    EventKind.CHECKS_FAILED: "Tries used up",
    EventKind.LAPSED: "Lapsed",
    EventKind.RETURNED: "Returned",
}


class QualityRow(NamedTuple):
    """The events of a topic by kind; without a `number`, those before any topic."""

    name: str
    number: str
    counts: Mapping[str, int]


def quality_table(request: HttpRequest, study: Study, topics: Sequence[Topic]) -> ShownTable:
    """Return the table; its first row, before any topic, and its sums stand on every page."""
    counts = counts_by_topic(study)
    rows = [
        QualityRow(str(topic), topic.number, {kind: counts.get((topic.pk, kind), 0) for kind in KINDS})
        for topic in topics
    ]
    before = QualityRow("Before a topic", "", {kind: counts.get((None, kind), 0) for kind in KINDS})
    sums: Counter[str] = Counter()
    for (_, kind), count in counts.items():
        sums[kind] += count
    return Table(
        request,
        _COLUMNS,
        heading="quality",
        key="quality",
        of="quality events",
        sort="topic",
        note="Failed checks, and other ends of a unit, counted by topic",
    ).at_hand(rows, always=[before], total=("All", *(sums[kind] for kind in KINDS)))


def _count(row: QualityRow, *, kind: str) -> int:
    return row.counts[kind]


_COLUMNS: Final[list[Column[QualityRow]]] = [
    Column(
        "topic",
        "Topic",
        lambda row: format_html('<data value="{}">{}</data>', row.number, row.name),
        by=lambda row: row.name,
    ),
    *(Column(f"-{kind}", heading, partial(_count, kind=kind), muted=True) for kind, heading in KINDS.items()),
]

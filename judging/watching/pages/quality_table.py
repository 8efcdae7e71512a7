"""The table of quality events: a row per topic, a column per kind of event, and their sums."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from judging.core.pages.tables import Column, ShownTable, Table
from judging.core.published.events import counts_by_topic
from judging.models import EventKind, Study, Topic
from judging.protocol.checks import CHECKS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

KINDS: "Final[Mapping[str, StrOrPromise]]" = {check.event: _(check.heading) for check in CHECKS.values()} | {
    EventKind.ORDER_INVERTED: _("Order reversed"),
    EventKind.CHECKS_FAILED: _("No attempts left"),
    EventKind.LAPSED: _("Lapsed"),
    EventKind.RETURNED: _("Returned"),
}


class QualityRow(NamedTuple):
    """The events of a topic, counted by kind.

    `number` is the topic's number, or "" in the row of events before any topic.
    """

    name: str
    number: str
    counts: Mapping[str, int]


def quality_table(request: HttpRequest, study: Study, topics: Sequence[Topic]) -> ShownTable:
    """Return the table. Every page of it has the row of events before any topic, and the sums."""
    counts = counts_by_topic(study)
    rows = [
        QualityRow(str(topic), topic.number, {kind: counts.get((topic.pk, kind), 0) for kind in KINDS})
        for topic in topics
    ]
    before = QualityRow(
        gettext("Before any topic"), "", {kind: counts.get((None, kind), 0) for kind in KINDS}
    )
    sums: Counter[str] = Counter()
    for (_topic, kind), count in counts.items():
        sums[kind] += count
    return Table(
        request,
        _COLUMNS,
        heading="quality",
        key="quality",
        of=_("quality events"),
        sort="topic",
        note=_("Failed checks and unfinished units, counted by topic."),
    ).at_hand(rows, always=[before], total=(gettext("All"), *(sums[kind] for kind in KINDS)))


def _count(row: QualityRow, *, kind: str) -> int:
    return row.counts[kind]


_COLUMNS: Final[list[Column[QualityRow]]] = [
    Column(
        "topic",
        _("Topic"),
        lambda row: format_html('<data value="{}">{}</data>', row.number, row.name),
        by=lambda row: row.name,
    ),
    *(Column(f"-{kind}", heading, partial(_count, kind=kind), muted=True) for kind, heading in KINDS.items()),
]

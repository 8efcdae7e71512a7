"""The events of a study: the table of all events, and the latest events for the console."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.core.published.common import SIMULATED, WORKER
from judging.core.published.table import Cell, Column, Published, Several, kind_of
from judging.core.selectors.judgments import topics_sorted, unit_id
from judging.core.selectors.kinds import Kinds, events_of
from judging.core.words import as_sentence, translated
from judging.models import Event, EventKind, Study, event_kinds
from judging.models.event import path_of_fact
from judging.protocol.checks import CHECKS, letter_of_event
from judging.protocol.checks.check import Fact
from judging.protocol.judges import is_simulated
from judging.protocol.reported import FAULTS, Fault
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_LABELS: Final = {kind.value: kind.label for kind in EventKind}


def label_of(kind: str) -> str:
    """Return the name of a kind of event in the active language."""
    if letter := letter_of_event().get(kind):
        return gettext("Failed check {check}").format(check=gettext(CHECKS[letter].heading))
    return gettext(_LABELS[kind])


def _facts() -> list[tuple[str, Fact]]:
    """Return a pair for each fact that a check can record: the letter of the check, and the fact."""
    return [(check.letter, fact) for check in CHECKS.values() for fact in check.facts]


def _fact_columns(study: Study | None) -> list[Column]:
    return [
        Column(
            f"({letter}): {fact.meaning}",
            fact.unit,
            options=(*fact.options, "") if fact.options else (),
            name=fact.name,
            kind=kind_of(fact.type),
            null=fact.type is not str,
        )
        for letter, fact in _facts()
    ]


class EventRow(NamedTuple):
    """An event. Topic and unit are empty if the event is not part of a unit."""

    topic_id: Annotated[
        str, Column("the topic's number; empty if the event has no topic, and such rows come first")
    ]
    unit_id: Annotated[str, Column("the unit, such as `401-0007`; empty if the event has no unit")]
    worker_id: Annotated[str, WORKER]
    at: Annotated[datetime, Column("when the event happened")]
    kind: Annotated[
        str, Column(", ".join(f"`{kind}`" for kind in event_kinds()), options=tuple(event_kinds()))
    ]
    check: Annotated[
        str, Column("the letter of the check; empty if the event is not about a check", options=(*CHECKS, ""))
    ]
    attempt: Annotated[int | None, Column("the number of the attempt, from 1", "attempts")]
    document_id: Annotated[str, Column("the document that the worker could not judge; empty otherwise")]
    fault: Annotated[
        str,
        Column(
            "why the worker could not judge the document: " + ", ".join(f"`{fault}`" for fault in Fault),
            options=(*Fault, ""),
        ),
    ]
    facts: Annotated[tuple[Cell, ...], Several(_fact_columns)]
    simulated: Annotated[bool, SIMULATED]

    @property
    def words(self) -> str:
        """Return the name of the event's kind in the active language."""
        return label_of(self.kind)

    @property
    def details(self) -> str:
        """Return the reported document, the attempt and the facts of the event, in the active language."""
        parts = []
        if self.fault:
            parts.append(Sentence("{document}", {"document": self.document_id}))
            parts.append(Sentence(FAULTS[Fault(self.fault)]))
        if self.attempt is not None:
            parts.append(Sentence(_("attempt {number}"), {"number": self.attempt}))
        for (_check, fact), value in zip(_facts(), self.facts, strict=True):
            if value not in (None, ""):
                parts.append(as_sentence(fact.words(value), {}))
        return ", ".join(map(translated, parts))


def _fields() -> list[str]:
    return [
        "unit__number",
        "participation__pseudonym",
        "at",
        "kind",
        "check_name",
        "attempt",
        "document__document__document_id",
        "fault",
        "participation__kind",
        *(path_of_fact(fact.name) for _check, fact in _facts()),
    ]


def _row(
    topic: str,
    number: int | None,
    worker: str,
    at: datetime,
    kind: str,
    check: str,
    attempt: int | None,
    document: str | None,
    fault: str,
    judge: str,
    *facts: Cell,
) -> EventRow:
    """Return a row. The parameters after `topic` are the values of the columns in `_fields()`."""
    unit = "" if number is None else unit_id(topic, number)
    simulated = is_simulated(judge)
    return EventRow(topic, unit, worker, at, kind, check, attempt, document or "", fault, facts, simulated)


def event_rows(study: Study, kinds: Kinds = None) -> Iterator[EventRow]:
    """Yield a row per event, sorted by topic, unit, worker and time. Events without a topic come first."""
    yield from _rows("", events_of(study, kinds).filter(topic__isnull=True))
    for topic in topics_sorted(study):
        yield from _rows(topic.number, events_of(study, kinds).filter(topic=topic))


def _rows(topic: str, events: QuerySet[Event]) -> Iterator[EventRow]:
    rows = events.order_by("pk").values_list(*_fields())
    for values in sorted(rows.iterator(), key=lambda row: (row[0] or 0, row[1], row[2])):
        yield _row(topic, *values)


def latest(study: Study, *, most: int) -> list[EventRow]:
    """Return the latest events, newest first. Return at most `most` events."""
    return listed(events_of(study).order_by("-pk")[:most])


def listed(events: QuerySet[Event]) -> list[EventRow]:
    """Return these events as rows in the same order. This takes one query."""
    rows = events.values_list("topic__number", *_fields())
    return [_row(topic or "", *values) for topic, *values in rows]


EVENTS: Final = Published(
    "events",
    _("Failed checks, withdrawals and other incidents, with their topics, units and times."),
    EventRow,
    event_rows,
    place=5,
    of_kinds=event_rows,
    chosen=lambda study, keys: listed(Event.objects.filter(pk__in=keys).order_by("pk")),
)

"""Events of a study: for export row by row, for the console counted and the latest few."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from django.db.models import Count, QuerySet

from judging.core.published.base import Cell, Column, Published, Several, kind_of
from judging.core.published.common import SIMULATED, WORKER
from judging.core.selectors.judgments import topics_sorted, unit_id
from judging.core.words import translated
from judging.models import Event, Study, event_kinds
from judging.protocol.checks import CHECKS
from judging.protocol.checks.base import Fact


def _facts() -> list[tuple[str, Fact]]:
    """All facts that checks tell, each with the letter of its check."""
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
    """What happened; topic and unit are empty for what belongs to none."""

    topic_id: Annotated[
        str, Column("the topic's number; empty for what belongs to none: such rows come first")
    ]
    unit_id: Annotated[str, Column("the unit, as `401-0007`; empty for what belongs to none")]
    worker_id: Annotated[str, WORKER]
    at: Annotated[datetime, Column("when it happened")]
    kind: Annotated[
        str, Column(", ".join(f"`{kind}`" for kind in event_kinds()), options=tuple(event_kinds()))
    ]
    check: Annotated[str, Column("the letter of the check, where it is one", options=(*CHECKS, ""))]
    attempt: Annotated[int | None, Column("which try it was, from 1", "tries")]
    facts: Annotated[tuple[Cell, ...], Several(_fact_columns)]
    simulated: Annotated[bool, SIMULATED]

    @property
    def words(self) -> str:
        """The kind, for people."""
        return self.kind.replace("_", " ")

    @property
    def details(self) -> str:
        """What else the event holds, for people."""
        told = [f"try {self.attempt}"] if self.attempt is not None else []
        facts = zip(_facts(), self.facts, strict=True)
        return ", ".join(
            told + [translated(fact.words(value)) for (_, fact), value in facts if value not in (None, "")]
        )


def _fields() -> list[str]:
    return [
        "unit__number",
        "participation__pseudonym",
        "at",
        "kind",
        "check_name",
        "attempt",
        "participation__simulated",
        *(fact.name for _, fact in _facts()),
    ]


def _row(
    topic: str,
    number: int | None,
    worker: str,
    at: datetime,
    kind: str,
    check: str,
    attempt: int | None,
    simulated: bool,
    *facts: Cell,
) -> EventRow:
    """Return the row of what `_fields` names."""
    unit = "" if number is None else unit_id(topic, number)
    return EventRow(topic, unit, worker, at, kind, check, attempt, facts, simulated)


def event_rows(study: Study) -> Iterator[EventRow]:
    """One row per event, sorted by topic, unit, worker and time; those without a topic come first."""
    yield from _rows("", Event.objects.filter(study=study, topic__isnull=True))
    for topic in topics_sorted(study):
        yield from _rows(topic.number, Event.objects.filter(study=study, topic=topic))


def _rows(topic: str, events: QuerySet[Event]) -> Iterator[EventRow]:
    found = events.order_by("pk").values_list(*_fields())
    for told in sorted(found.iterator(), key=lambda row: (row[0] or 0, row[1], row[2])):
        yield _row(topic, *told)


def counts_by_topic(study: Study) -> dict[tuple[int | None, str], int]:
    """(Topic or None, kind) → number of events."""
    counts = Event.objects.filter(study=study).order_by().values_list("topic_id", "kind")
    return {(topic, kind): count for topic, kind, count in counts.annotate(count=Count("pk"))}


def latest(study: Study, *, most: int) -> list[EventRow]:
    """The last `most` events, the latest first."""
    return listed(Event.objects.filter(study=study).order_by("-pk")[:most])


def listed(events: QuerySet[Event]) -> list[EventRow]:
    """These events in their order, in one query."""
    found = events.values_list("topic__number", *_fields())
    return [_row(topic or "", *told) for topic, *told in found]


EVENTS: Final = Published(
    "events",
    "What went wrong, where and when.",
    EventRow,
    event_rows,
    place=5,
    chosen=lambda study, keys: listed(Event.objects.filter(pk__in=keys).order_by("pk")),
)

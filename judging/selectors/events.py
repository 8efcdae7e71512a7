"""Events of a study: for export row by row, for the console counted and the latest few."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, QuerySet

from judging.models import Event, EventKind, Study
from judging.selectors.judgments import topics_sorted, unit_id


class EventRow(NamedTuple):
    """What happened; topic and unit are empty for what belongs to none."""

    topic_id: str
    unit_id: str
    worker_id: str
    at: datetime
    kind: str
    check: str
    attempt: int | None
    option: int | None
    anchors: str
    tau: float | None
    short: int | None
    simulated: bool

    @property
    def words(self) -> str:
        """The kind, for people."""
        return self.kind.replace("_", " ")

    @property
    def details(self) -> str:
        """What else the event holds, for people."""
        inverted = self.kind == EventKind.ORDER_INVERTED
        facts = {
            "try {}": self.attempt,
            "option {} of the study file": None if self.option is None else self.option + 1,
            "anchors {}": self.anchors or None,
            f"τ {{:.2f}} with {'an earlier try' if inverted else 'the try before'}": self.tau,
            "{} documents short of time": self.short,
        }
        return ", ".join(text.format(fact) for text, fact in facts.items() if fact is not None)


_FIELDS = (
    "unit__number",
    "participation__pseudonym",
    "at",
    "kind",
    "check_name",
    "attempt",
    "option",
    "anchors",
    "tau",
    "short",
    "participation__simulated",
)


def event_rows(study: Study) -> Iterator[EventRow]:
    """One row per event, sorted by topic, unit, worker and time; those without a topic come first."""
    yield from _rows("", Event.objects.filter(study=study, topic__isnull=True))
    for topic in topics_sorted(study):
        yield from _rows(topic.number, Event.objects.filter(study=study, topic=topic))


def _rows(topic: str, events: QuerySet[Event]) -> Iterator[EventRow]:
    found = events.order_by("pk").values_list(*_FIELDS)
    for number, *rest in sorted(found.iterator(), key=lambda row: (row[0] or 0, row[1], row[2])):
        yield EventRow(topic, "" if number is None else unit_id(topic, number), *rest)


def counts_by_topic(study: Study) -> dict[tuple[int | None, str], int]:
    """(Topic or None, kind) → number of events."""
    counts = Event.objects.filter(study=study).order_by().values_list("topic_id", "kind")
    return {(topic, kind): count for topic, kind, count in counts.annotate(count=Count("pk"))}


def latest(study: Study, *, most: int) -> list[EventRow]:
    """The last `most` events, the latest first."""
    return listed(Event.objects.filter(study=study).order_by("-pk")[:most])


def listed(events: QuerySet[Event]) -> list[EventRow]:
    """These events in their order, in one query."""
    found = events.values_list("topic__number", *_FIELDS)
    return [
        EventRow(topic or "", "" if number is None else unit_id(topic, number), *rest)
        for topic, number, *rest in found
    ]

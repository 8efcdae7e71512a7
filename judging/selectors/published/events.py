"""Events of a study: for export row by row, for the console counted and the latest few."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from django.db.models import Count, QuerySet

from judging.models import Event, EventKind, Study
from judging.models.fields import values
from judging.selectors.judgments import topics_sorted, unit_id
from judging.selectors.published.base import Column, Published
from judging.selectors.published.common import SIMULATED, WORKER


class EventRow(NamedTuple):
    """What happened; topic and unit are empty for what belongs to none."""

    topic_id: Annotated[
        str, Column("the topic's number; empty for what belongs to none: such rows come first")
    ]
    unit_id: Annotated[str, Column("the unit, as `401-0007`; empty for what belongs to none")]
    worker_id: Annotated[str, WORKER]
    at: Annotated[datetime, Column("when it happened")]
    kind: Annotated[
        str, Column(", ".join(f"`{kind}`" for kind in EventKind), options=tuple(values(EventKind)))
    ]
    check: Annotated[str, Column("the check `a`–`d`, where it is one", options=("a", "b", "c", "d", ""))]
    attempt: Annotated[int | None, Column("which try it was, from 1", "tries")]
    option: Annotated[
        int | None, Column("(b): the option chosen, from 0, in the order of the study file", "places")
    ]
    anchors: Annotated[str, Column("(c): `tied` or `inverted`", options=("tied", "inverted", ""))]
    tau: Annotated[
        float | None,
        Column(
            "(c): Kendall's τ between this try and the one before;"
            " for `order_inverted`, the lowest with any earlier try",
            "−1 … 1",
        ),
    ]
    short: Annotated[int | None, Column("(d): how many documents fell short of their seconds", "documents")]
    simulated: Annotated[bool, SIMULATED]

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


def _chosen(study: Study, chosen: Sequence[int]) -> list[EventRow]:
    return listed(Event.objects.filter(pk__in=chosen).order_by("pk"))


EVENTS: Final = Published(
    "events", "What went wrong, where and when.", EventRow, event_rows, place=5, chosen=_chosen
)

"""Events of a study as the console lists them: filtered, counted, sorted, the latest first."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from django.db.models import Count, F, QuerySet, Value
from django.db.models.functions import NullIf

from judging.core.published.events import EventRow, listed
from judging.core.selectors.ordering import Sortable, by_columns, place_of_topic
from judging.models import Event, Participation, Study, Topic

# By time: a simulated crowd, worker after worker, does not write its events in the order of its clocks.
LATEST_FIRST = ("-at", "-pk")
EVENTS_BY: Final[dict[str, Callable[[Study], list[Sortable]]]] = {
    "at": lambda study: ["at", "pk"],
    "kind": lambda study: ["kind"],
    "check": lambda study: [NullIf("check_name", Value(""))],
    "unit": lambda study: [place_of_topic(study), F("unit__number")],
    "worker": lambda study: ["participation__pseudonym"],
}
"""What a list of events may be sorted by; equal ones follow each other the latest first."""


@dataclass(frozen=True)
class EventFilter:
    """What is looked for; what is empty does not narrow. Both days are whole days in UTC and belong to it."""

    check: str = ""
    kind: str = ""
    topic: Topic | None = None
    worker: Participation | None = None
    first_day: date | None = None
    last_day: date | None = None


def matching(
    study: Study, wanted: EventFilter, *, sort: str = "at", descending: bool = True
) -> QuerySet[Event]:
    """The events of the study that meet all that is wanted, sorted by a key of `EVENTS_BY`."""
    conditions = {
        "check_name": wanted.check,
        "kind": wanted.kind,
        "topic": wanted.topic,
        "participation": wanted.worker,
        "at__gte": wanted.first_day and datetime.combine(wanted.first_day, time.min, UTC),
        "at__lte": wanted.last_day and datetime.combine(wanted.last_day, time.max, UTC),
    }
    narrowing = {field: value for field, value in conditions.items() if value}
    order = by_columns(EVENTS_BY[sort](study), descending=descending)
    ties = () if sort == "at" else LATEST_FIRST
    return Event.objects.filter(study=study, **narrowing).order_by(*order, *ties)


def counts_by_kind(events: QuerySet[Event]) -> dict[str, int]:
    """Kind → number of these events, for the kinds that there are; in one query."""
    return dict(events.order_by().values_list("kind").annotate(count=Count("pk")))


def rows_of(events: QuerySet[Event], start: int, stop: int) -> list[EventRow]:
    """Some of these events in their order, from place `start` up to `stop`; in one query."""
    # The page is cut from events alone: joined first, each row passed over would be looked up thrice.
    page = Event.objects.filter(pk__in=events.values("pk")[start:stop])
    return listed(page.order_by(*events.query.order_by))

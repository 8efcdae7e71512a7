"""What became of one worker's units, and why: from counts, times and events alone.

No answer is read: of a unit that was not completed an event is all there is to see, and who the worker is on
the platform stays where it is.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from judging.models import Assignment, Event, Participation, Visit
from judging.protocol.states import AssignmentState
from judging.selectors.events import EventRow, listed
from judging.selectors.judgments import unit_id

MOST_EVENTS = 200


@dataclass(frozen=True)
class UnitStory:
    """An attempt at a unit with its events, the latest first; `seconds` are those of each document.

    Seconds are given for completed units whose judgments are still there, in the order shown to the worker.
    """

    assignment: Assignment
    unit_id: str
    events: list[EventRow]
    seconds: list[float]

    @property
    def mean_seconds(self) -> float | None:
        return sum(self.seconds) / len(self.seconds) if self.seconds else None

    @property
    def state(self) -> str:
        return self.assignment.get_state_display()

    @property
    def excluded(self) -> bool:
        """Whether this attempt's judgments are left out: a unit is excluded for its completed attempt."""
        kept = self.assignment.judgments_deleted_at is None
        completed = self.assignment.state == AssignmentState.COMPLETED
        return completed and kept and self.assignment.unit.excluded_at is not None


def units_of(worker: Participation, *, start: int, stop: int) -> list[UnitStory]:
    """The attempts from place `start` up to `stop`, the latest first, in three queries.

    Of their events the latest `MOST_EVENTS` are read: with unlimited tries there is no other end to them.
    """
    found = worker.assignments.select_related("topic", "unit").order_by("-number")
    attempts = list(found.defer("option_order", "topic__narrative")[start:stop])
    events = _events_by_unit(Event.objects.filter(assignment__in=attempts))
    seconds = _seconds(attempts)
    return [
        UnitStory(attempt, name, events[name], seconds[attempt.pk])
        for attempt, name in ((one, unit_id(one.topic.number, one.unit.number)) for one in attempts)
    ]


def events_outside_units(worker: Participation) -> list[EventRow]:
    """The latest events that belong to no unit: failed practice, being screened out, leaving."""
    return listed(worker.events.filter(assignment__isnull=True).order_by("-pk")[:MOST_EVENTS])


def _events_by_unit(events: QuerySet[Event]) -> dict[str, list[EventRow]]:
    by_unit: dict[str, list[EventRow]] = defaultdict(list)
    for event in listed(events.order_by("-pk")[:MOST_EVENTS]):
        by_unit[event.unit_id].append(event)
    return by_unit


def _seconds(attempts: Iterable[Assignment]) -> dict[int, list[float]]:
    completed = [one.pk for one in attempts if one.state == AssignmentState.COMPLETED]
    sums = (
        Visit.objects.filter(assignment__in=completed)
        .order_by("assignment_id", "judgment__position")
        .values_list("assignment_id", "judgment__position")
        .annotate(sum=Sum("seconds"))
    )
    by_attempt: dict[int, list[float]] = defaultdict(list)
    for attempt, _, seconds in sums:
        by_attempt[attempt].append(seconds)
    return by_attempt

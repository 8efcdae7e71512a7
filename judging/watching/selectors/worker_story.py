"""What became of one worker's units, and why: counts, times, events, and judgments that exports hold.

Of a unit that was not completed no answer is read: an event is all there is to see. Who the worker is on the
platform stays where it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from judging.core.published.events import EventRow, listed
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import ACCEPTED, unit_id
from judging.models import Assignment, Event, Judgment, Participation, Visit
from judging.protocol.checks import unit_checks
from judging.protocol.states import AssignmentState
from judging.watching.selectors.event_list import LATEST_FIRST


@dataclass(frozen=True)
class UnitStory:
    """An attempt at a unit with some of its events, the latest first; `seconds` are those of each document.

    Seconds and judgments are given for completed units whose judgments are still there, in the order shown to
    the worker.
    """

    assignment: Assignment
    unit_id: str
    events: list[EventRow]
    seconds: list[float]
    judgments: list[Judgment]

    @property
    def mean_seconds(self) -> float | None:
        return sum(self.seconds) / len(self.seconds) if self.seconds else None

    @property
    def failures(self) -> list[tuple[str, int | None]]:
        """The letter of each check at the end of the unit, with how often it failed."""
        counts = failures_by_check(self.assignment.failed_checks)
        return [(check.letter, number) for check, number in zip(unit_checks(), counts, strict=True)]

    @property
    def state(self) -> str:
        return self.assignment.get_state_display()

    @property
    def excluded(self) -> bool:
        """Whether this attempt's judgments are left out: a unit is excluded for its completed attempt."""
        kept = self.assignment.judgments_deleted_at is None
        completed = self.assignment.state == AssignmentState.COMPLETED
        return completed and kept and self.assignment.unit.excluded_at is not None


def attempts_of(worker: Participation, *, start: int, stop: int) -> list[Assignment]:
    """The worker's attempts at units from place `start` up to `stop`, the latest first; in one query."""
    found = worker.assignments.select_related("topic", "unit").order_by("-number")
    return list(found.defer("option_order", "topic__description", "topic__narrative")[start:stop])


def count_units(worker: Participation) -> dict[str, int]:
    """How many completed units of the worker count (`included`), how many are `excluded`; in one query."""
    excluded = Q(unit__excluded_at__isnull=False)
    return worker.assignments.filter(ACCEPTED).aggregate(
        included=Count("pk", filter=~excluded), excluded=Count("pk", filter=excluded)
    )


def count_events(attempts: Sequence[Assignment]) -> dict[int, int]:
    """Attempt → number of its events, for those that have any; in one query."""
    events = Event.objects.filter(assignment__in=attempts).order_by()
    return dict(events.values_list("assignment_id").annotate(count=Count("pk")))


def stories(attempts: Sequence[Assignment], places: Mapping[int, range]) -> list[UnitStory]:
    """What became of these attempts, in three queries; `places` are, by attempt, those of the events read."""
    events, seconds, judgments = _events_by_unit(places), _seconds(attempts), _judgments(attempts)
    return [
        UnitStory(attempt, name, events[name], seconds[attempt.pk], judgments.get(attempt.pk, []))
        for attempt, name in ((one, unit_id(one.topic.number, one.unit.number)) for one in attempts)
    ]


def events_outside_units(worker: Participation) -> QuerySet[Event]:
    """The events that belong to no unit, the latest first: failed practice, being screened out, leaving."""
    return worker.events.filter(assignment__isnull=True).order_by(*LATEST_FIRST)


def _events_by_unit(places: Mapping[int, range]) -> dict[str, list[EventRow]]:
    turn = Window(RowNumber(), partition_by="assignment_id", order_by=[F("at").desc(), F("pk").desc()])
    wanted = Q(pk__in=[])
    for attempt, some in places.items():
        wanted |= Q(assignment_id=attempt, turn__gt=some.start, turn__lte=some.stop)
    chosen = Event.objects.filter(assignment__in=places).order_by().annotate(turn=turn).filter(wanted)
    by_unit: dict[str, list[EventRow]] = defaultdict(list)
    for event in listed(Event.objects.filter(pk__in=chosen.values("pk")).order_by(*LATEST_FIRST)):
        by_unit[event.unit_id].append(event)
    return by_unit


def _seconds(attempts: Iterable[Assignment]) -> dict[int, list[float]]:
    completed = [one.pk for one in attempts if one.state == AssignmentState.COMPLETED]
    sums = (
        Visit.objects.filter(assignment__in=completed)
        .order_by("assignment_id", "judgment__position", "judgment_id")
        .values_list("assignment_id", "judgment_id")
        .annotate(sum=Sum("seconds"))
    )
    by_attempt: dict[int, list[float]] = defaultdict(list)
    for attempt, _, seconds in sums:
        by_attempt[attempt].append(seconds)
    return by_attempt


def _judgments(attempts: Iterable[Assignment]) -> dict[int, list[Judgment]]:
    # By the attempts alone: asked for their state too, SQLite would begin with all that are completed.
    completed = (one for one in attempts if one.state == AssignmentState.COMPLETED)
    kept = [one.pk for one in completed if one.judgments_deleted_at is None]
    rows = Judgment.objects.filter(assignment__in=kept).order_by()
    by_attempt: dict[int, list[Judgment]] = defaultdict(list)
    for row in rows.select_related("pool_document__document").defer("pool_document__document__text"):
        by_attempt[row.assignment_id].append(row)
    return {attempt: sorted(of_unit, key=_place) for attempt, of_unit in by_attempt.items()}


def _place(judgment: Judgment) -> tuple[int, int]:
    """Return what judgments of a unit are sorted by: one from a file may not know its position."""
    return -1 if judgment.position is None else judgment.position, judgment.pk

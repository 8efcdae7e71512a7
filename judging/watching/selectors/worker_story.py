"""The history of a worker's units: counts, times, events, and the judgments that exports contain.

For units that are not completed, only the events are read, never the answers. The worker's identity on the
platform is not read either.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, F, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from judging.core.published.events import EventRow, listed
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import ACCEPTED, unit_id
from judging.models import Assignment, Event, Judgment, Participation, Visit
from judging.protocol.checks import unit_checks
from judging.protocol.states import AssignmentState
from judging.watching.selectors.event_list import LATEST_FIRST

_DOCUMENTS: Final = ("pool_document__document", "compared_with__document")


@dataclass(frozen=True)
class UnitStory:
    """An attempt at a unit, and some of its events, starting with the newest.

    `seconds` and `judgments` have an item for each document, in the order in which the worker saw the
    documents. Both are empty if the unit is not completed or the judgments were deleted.
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
    def has_anchors(self) -> bool:
        return any(judgment.pool_document.anchor for judgment in self.judgments)

    @property
    def failures(self) -> list[tuple[str, int | None]]:
        """Return a pair for each check at the end of a unit.

        The pair holds the letter of the check, and how often this attempt failed the check.
        """
        counts = failures_by_check(self.assignment.failed_checks)
        return [(check.letter, number) for check, number in zip(unit_checks(), counts, strict=True)]

    @property
    def failures_listed(self) -> str:
        """Return the failures as text, such as "(c) 1, (d) 0"."""
        return ", ".join(f"({letter}) {number}" for letter, number in self.failures)

    @property
    def state(self) -> str:
        return self.assignment.get_state_display()

    @property
    def excluded(self) -> bool:
        """Return whether the attempt's judgments are excluded. Only completed attempts have judgments."""
        has_judgments = self.assignment.judgments_deleted_at is None
        is_completed = self.assignment.state == AssignmentState.COMPLETED
        return is_completed and has_judgments and self.assignment.unit.excluded_at is not None


def attempts_of(worker: Participation, *, start: int, stop: int) -> list[Assignment]:
    """Return some of the worker's attempts, sorted from the oldest to the newest. This takes one query.

    `start` and `stop` are positions counted back from the newest attempt, which has position 0.
    """
    attempts = worker.assignments.select_related("topic", "unit").order_by("-number")
    return list(attempts.defer("option_order", "topic__description", "topic__narrative")[start:stop])[::-1]


def count_units(worker: Participation) -> dict[str, int]:
    """Return how many of the worker's completed units are `included` and `excluded`. This takes one query."""
    excluded = Q(unit__excluded_at__isnull=False)
    return worker.assignments.filter(ACCEPTED).aggregate(
        included=Count("pk", filter=~excluded), excluded=Count("pk", filter=excluded)
    )


def count_events(attempts: Sequence[Assignment]) -> dict[int, int]:
    """Return a dict that maps the primary key of each attempt to the number of its events.

    Attempts without events are left out. This takes one query.
    """
    events = Event.objects.filter(assignment__in=attempts).order_by()
    return dict(events.values_list("assignment_id").annotate(count=Count("pk")))


def stories(attempts: Sequence[Assignment], places: Mapping[int, range]) -> list[UnitStory]:
    """Return the stories of attempts. This takes three queries.

    `places` maps the primary key of an attempt to the positions of the events to include. Positions are
    counted from 0, starting with the newest event.
    """
    events, seconds, judgments = _events_by_unit(places), _seconds(attempts), _judgments(attempts)
    return [
        UnitStory(attempt, name, events[name], seconds[attempt.pk], judgments.get(attempt.pk, []))
        for attempt in attempts
        for name in [unit_id(attempt.topic.number, attempt.unit.number)]
    ]


def events_outside_units(worker: Participation) -> QuerySet[Event]:
    """Return the worker's events outside units (such as failed practice attempts), the newest first."""
    return worker.events.filter(assignment__isnull=True).order_by(*LATEST_FIRST)


def _events_by_unit(places: Mapping[int, range]) -> dict[str, list[EventRow]]:
    place = Window(RowNumber(), partition_by="assignment_id", order_by=[F("at").desc(), F("pk").desc()])
    wanted = Q(pk__in=[])
    for attempt, page in places.items():
        wanted |= Q(assignment_id=attempt, place__gt=page.start, place__lte=page.stop)
    chosen = Event.objects.filter(assignment__in=places).order_by().annotate(place=place).filter(wanted)
    by_unit: dict[str, list[EventRow]] = defaultdict(list)
    for event in listed(Event.objects.filter(pk__in=chosen.values("pk")).order_by(*LATEST_FIRST)):
        by_unit[event.unit_id].append(event)
    return by_unit


def _seconds(attempts: Iterable[Assignment]) -> dict[int, list[float]]:
    completed = [attempt.pk for attempt in attempts if attempt.state == AssignmentState.COMPLETED]
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
    # The query filters only by key. If it also filtered by state, SQLite would start from all completed
    # attempts.
    completed = (attempt for attempt in attempts if attempt.state == AssignmentState.COMPLETED)
    keys = [attempt.pk for attempt in completed if attempt.judgments_deleted_at is None]
    rows = Judgment.objects.filter(assignment__in=keys).order_by()
    by_attempt: dict[int, list[Judgment]] = defaultdict(list)
    for row in rows.select_related(*_DOCUMENTS).defer(*(f"{path}__text" for path in _DOCUMENTS)):
        by_attempt[row.assignment_id].append(row)
    return {attempt: sorted(of_unit, key=_place) for attempt, of_unit in by_attempt.items()}


def _place(judgment: Judgment) -> tuple[int, int]:
    """Return the sort key of a judgment in its unit. Imported judgments may have no position."""
    return -1 if judgment.position is None else judgment.position, judgment.pk

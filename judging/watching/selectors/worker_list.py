"""The workers of a study as the console lists them: sort keys, and the details of one page."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from judging.models import Assignment, Event, Participation, Visit
from judging.models.fields import values
from judging.protocol.checks import CHECKS, letter_of_event
from judging.protocol.states import LIVE, AssignmentState

_BY_WORKER = (
    AssignmentState.COMPLETED,
    AssignmentState.COMPREHENSION_FAILED,
    AssignmentState.CHECKS_FAILED,
    AssignmentState.REPORTED,
    AssignmentState.RETURNED,
)
"""The states of attempts that the worker ended. Lapses and cancellations happen without the worker."""


@dataclass(frozen=True)
class ListedWorker:
    """A worker, with the number of units in each state and the number of failures of each check.

    Imported workers have no failures, because the imported files do not record failures.
    """

    participation: Participation
    last_seen: datetime
    units: Mapping[str, int]
    failures: Mapping[str, int]


def last_seen() -> Greatest:
    """Return a query expression for participations: the time at which the worker last did something.

    These actions count: consenting, starting or ending a unit, opening a document of a live or lapsed unit,
    and failing a check.
    """
    own = {"participation": OuterRef("pk")}
    units = Assignment.objects.filter(**own).order_by().values("participation")
    begun = units.annotate(at=Max("started_at"))
    ended = units.filter(state__in=values(_BY_WORKER)).annotate(at=Max("ended_at"))
    unfinished = values((*LIVE, AssignmentState.LAPSED))
    visits = Visit.objects.filter(assignment__participation=OuterRef("pk"), assignment__state__in=unfinished)
    opened = visits.order_by().values("assignment__participation").annotate(at=Max("opened_at"))
    events = Event.objects.filter(_failed(), **own).order_by().values("participation")
    moments = (begun, ended, opened, events.annotate(at=Max("at")))
    return Greatest(
        "consented_at", *(Coalesce(Subquery(moment.values("at")), "consented_at") for moment in moments)
    )


def units_in(states: Iterable[AssignmentState]) -> Coalesce:
    """Return a query expression for participations: the number of units in one of these states."""
    return _number(Assignment.objects.filter(state__in=values(states)))


def failures_of(letter: str = "") -> Coalesce:
    """Return a query expression for participations: the number of failures of one check or of all checks."""
    events = Event.objects.filter(_failed())
    return _number(events.filter(kind=CHECKS[letter].event) if letter else events)


def _number(rows: QuerySet[Assignment] | QuerySet[Event]) -> Coalesce:
    own = rows.filter(participation=OuterRef("pk")).order_by().values("participation")
    return Coalesce(Subquery(own.annotate(count=Count("pk")).values("count")), 0)


def _failed() -> Q:
    """Return the condition that selects the events of failed checks.

    Events of the kind `order_inverted` are left out, because a reversed order of magnitudes is not a failure.
    """
    return Q(kind__in=letter_of_event())


def listed_workers(page: QuerySet[Participation]) -> list[ListedWorker]:
    """Return the workers of a page, in the order of the page. This takes four queries."""
    keys = list(page.values_list("pk", flat=True))
    participations = Participation.objects.filter(pk__in=keys).annotate(seen=last_seen()).in_bulk()
    units = _counts(Assignment.objects.filter(participation__in=keys), "state")
    failures = _counts(Event.objects.filter(_failed(), participation__in=keys), "check_name")
    workers = ((pk, participations[pk]) for pk in keys if pk in participations)
    return [ListedWorker(worker, worker.seen, units[pk], failures[pk]) for pk, worker in workers]


def _counts(rows: QuerySet[Assignment] | QuerySet[Event], column: str) -> Mapping[int, dict[str, int]]:
    counts: Mapping[int, dict[str, int]] = defaultdict(dict)
    groups = rows.order_by().values_list("participation_id", column)
    for worker, value, count in groups.annotate(count=Count("pk")):
        counts[worker][value] = count
    return counts

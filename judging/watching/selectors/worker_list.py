"""The workers of a study as the console lists them: what they are sorted by, and the details of one page."""

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
    AssignmentState.RETURNED,
)
"""Ends that a worker brings about; a lapse or a cancellation comes without anybody being there."""


@dataclass(frozen=True)
class ListedWorker:
    """One worker: units by state, and failures by check, which are unknown of one from a file."""

    participation: Participation
    last_seen: datetime
    units: Mapping[str, int]
    failures: Mapping[str, int]


def last_seen() -> Greatest:
    """When a worker last did something that is stored with a time, as an expression over participations.

    Consent, a unit begun or ended by the worker, a document opened in a unit that was not completed, a check
    failed.
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
    """How many units of a worker are in one of these states, as an expression over participations."""
    return _number(Assignment.objects.filter(state__in=values(states)))


def failures_of(letter: str = "") -> Coalesce:
    """How often a worker failed a check, or any, as an expression over participations."""
    events = Event.objects.filter(_failed())
    return _number(events.filter(kind=CHECKS[letter].event) if letter else events)


def _number(rows: QuerySet[Assignment] | QuerySet[Event]) -> Coalesce:
    own = rows.filter(participation=OuterRef("pk")).order_by().values("participation")
    return Coalesce(Subquery(own.annotate(count=Count("pk")).values("count")), 0)


def _failed() -> Q:
    """Events of failed checks. An order turned round belongs to check (c) and fails nobody."""
    return Q(kind__in=letter_of_event())


def listed_workers(page: QuerySet[Participation]) -> list[ListedWorker]:
    """The workers of a page in their order, in four queries."""
    chosen = list(page.values_list("pk", flat=True))
    found = Participation.objects.filter(pk__in=chosen).annotate(seen=last_seen()).in_bulk()
    units = _counts(Assignment.objects.filter(participation__in=chosen), "state")
    failures = _counts(Event.objects.filter(_failed(), participation__in=chosen), "check_name")
    workers = ((pk, found[pk]) for pk in chosen if pk in found)
    return [ListedWorker(worker, worker.seen, units[pk], failures[pk]) for pk, worker in workers]


def _counts(rows: QuerySet[Assignment] | QuerySet[Event], column: str) -> Mapping[int, dict[str, int]]:
    counts: Mapping[int, dict[str, int]] = defaultdict(dict)
    found = rows.order_by().values_list("participation_id", column)
    for worker, value, count in found.annotate(count=Count("pk")):
        counts[worker][value] = count
    return counts

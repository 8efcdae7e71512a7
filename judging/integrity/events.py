"""Events: about one attempt and nothing else, and one for everything that ended without judgments."""

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from judging.core.selectors.attempts import failures
from judging.core.services.ending import KIND_OF_END
from judging.integrity.rules import invariant
from judging.models import Assignment, Event, EventKind, Participation
from judging.protocol.checks import unit_checks
from judging.protocol.states import ParticipationState

_PARTINGS = {
    ParticipationState.SCREENED_OUT: EventKind.SCREENED_OUT,
    ParticipationState.BLOCKED: EventKind.BLOCKED,
    ParticipationState.WITHDRAWN: EventKind.WITHDRAWN,
}


@invariant("An event is of its worker's study.")
def event_of_its_study() -> QuerySet[Event]:
    return Event.objects.exclude(study=F("participation__study"))


@invariant("An event names worker, unit and topic of its attempt.")
def event_of_its_attempt() -> QuerySet[Event]:
    """Worker, unit and topic are those of the attempt that an event is about."""
    same = Q(
        participation=F("assignment__participation"),
        unit=F("assignment__unit"),
        topic=F("assignment__topic"),
    )
    return Event.objects.filter(assignment__isnull=False).exclude(same)


@invariant("An attempt that ended without judgments has the event that says why.")
def end_with_an_event() -> QuerySet[Assignment]:
    told = Event.objects.filter(assignment=OuterRef("pk"))
    untold = Q()
    for state, kind in KIND_OF_END.items():
        untold |= Q(state=state.value) & Q(~Exists(told.filter(kind=kind)))
    return Assignment.objects.filter(untold)


@invariant("A worker who was screened out, blocked or withdrew has the event that says so.")
def parting_with_an_event() -> QuerySet[Participation]:
    told = Event.objects.filter(participation=OuterRef("pk"))
    untold = Q()
    for state, kind in _PARTINGS.items():
        untold |= Q(state=state.value) & Q(~Exists(told.filter(kind=kind.value)))
    return Participation.objects.filter(untold)


@invariant("Each failure of a check that an attempt counts has its event.")
def failures_with_events() -> QuerySet[Assignment]:
    told = {
        f"told_{check.letter}": Count("events", filter=Q(events__kind=check.event)) for check in unit_checks()
    }
    counted = {f"told_{check.letter}": failures(check.letter) for check in unit_checks()}
    judged_here = Assignment.objects.filter(failed_checks__isnull=False)
    return judged_here.annotate(**told).exclude(**counted)

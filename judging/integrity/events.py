"""Rules about events: each event matches its attempt, and each failure or early end has an event."""

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from judging.core.selectors.attempts import failures
from judging.core.services.ending import KIND_OF_END
from judging.integrity.rules import invariant
from judging.models import Assignment, Event, EventKind, Participation, event_kinds
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.states import ParticipationState

_EVENT_OF_END = {
    ParticipationState.SCREENED_OUT: EventKind.SCREENED_OUT,
    ParticipationState.BLOCKED: EventKind.BLOCKED,
    ParticipationState.WITHDRAWN: EventKind.WITHDRAWN,
}


@invariant("An event belongs to the study of its worker.")
def event_of_its_study() -> QuerySet[Event]:
    return Event.objects.exclude(study=F("participation__study"))


@invariant("An event is of a kind that is declared, and its check is declared.")
def event_of_a_declared_kind() -> QuerySet[Event]:
    return Event.objects.exclude(kind__in=event_kinds(), check_name__in=["", *CHECKS])


@invariant("An event has the worker, the unit and the topic of its attempt.")
def event_of_its_attempt() -> QuerySet[Event]:
    same = Q(
        participation=F("assignment__participation"),
        unit=F("assignment__unit"),
        topic=F("assignment__topic"),
    )
    return Event.objects.filter(assignment__isnull=False).exclude(same)


@invariant("An attempt that ended without judgments has an event for its end.")
def end_with_an_event() -> QuerySet[Assignment]:
    events = Event.objects.filter(assignment=OuterRef("pk"))
    without_event = Q()
    for state, kind in KIND_OF_END.items():
        without_event |= Q(state=state.value) & Q(~Exists(events.filter(kind=kind)))
    return Assignment.objects.filter(without_event)


@invariant("A worker who was screened out, was blocked or withdrew has an event for it.")
def parting_with_an_event() -> QuerySet[Participation]:
    events = Event.objects.filter(participation=OuterRef("pk"))
    without_event = Q()
    for state, kind in _EVENT_OF_END.items():
        without_event |= Q(state=state.value) & Q(~Exists(events.filter(kind=kind.value)))
    return Participation.objects.filter(without_event)


@invariant("A worker who was stopped because the record looked like guessing has an event for it.")
def gate_with_an_event() -> QuerySet[Participation]:
    gated = Event.objects.filter(participation=OuterRef("pk"), kind=EventKind.GATED)
    return Participation.objects.exclude(gate="").exclude(Exists(gated))


@invariant("Each failed check that an attempt counts has an event.")
def failures_with_events() -> QuerySet[Assignment]:
    events = {
        f"events_{check.letter}": Count("events", filter=Q(events__kind=check.event))
        for check in unit_checks()
    }
    counted = {f"events_{check.letter}": failures(check.letter) for check in unit_checks()}
    judged_here = Assignment.objects.filter(failed_checks__isnull=False)
    return judged_here.annotate(**events).exclude(**counted)

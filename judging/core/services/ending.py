"""Ends without a completed unit: here alone answers are dropped, units freed, and workers screened out."""

from datetime import datetime

from judging.core.services.events import record, record_in_unit
from judging.core.statements import Prepared, save_fields
from judging.models import Assignment, EventKind, Judgment, Participation, Unit, Visit
from judging.protocol.checks import comprehension
from judging.protocol.checks.base import FactValue
from judging.protocol.states import LIVE, AssignmentState, ParticipationState, UnitState
from judging.protocol.timing import visit_seconds

KIND_OF_END = {
    AssignmentState.COMPREHENSION_FAILED: comprehension.CHECK.event,
    AssignmentState.CHECKS_FAILED: EventKind.CHECKS_FAILED,
    AssignmentState.LAPSED: EventKind.LAPSED,
    AssignmentState.RETURNED: EventKind.RETURNED,
    AssignmentState.CANCELLED: EventKind.CANCELLED,
}
"""The event that tells of each end without judgments."""

_OPEN_VISIT = Prepared(
    lambda assignment: (
        Visit.objects.select_related("judgment")
        .filter(assignment_id=assignment, closed_at__isnull=True)
        .order_by("pk")[:1]
    ),
    assignment=int,
)


def end_assignment(
    *, assignment: Assignment, state: AssignmentState, now: datetime, **facts: FactValue
) -> None:
    """Put a live, locked assignment into an end state other than completed, and free its unit.

    Its answers are deleted, but for a lapse: those stay until their writer has seen them, or a day.
    """
    close_visit(open_visit(assignment), assignment=assignment, now=now)
    assignment.state = state
    assignment.ended_at = now
    assignment.answers_kept = state == AssignmentState.LAPSED and assignment.began_judging
    assignment.held_from = ""
    if not assignment.answers_kept:
        assignment.failed_magnitudes = None
    assignment.save(update_fields=["state", "ended_at", "answers_kept", "held_from", "failed_magnitudes"])
    if state != AssignmentState.LAPSED:
        delete_answers(assignment=assignment)
    free_unit(unit_id=assignment.unit_id)
    record_in_unit(KIND_OF_END[state], assignment=assignment, now=now, **facts)


def end_live(*, participation: Participation, state: AssignmentState, now: datetime) -> None:
    """End whatever a locked participation is judging."""
    live = participation.assignments.filter(state__in=LIVE)
    for assignment in live.select_for_update(no_key=True).order_by("pk"):
        assignment.participation = participation
        end_assignment(assignment=assignment, state=state, now=now)


def lapse(*, assignment: Assignment) -> None:
    """Lapse as of the moment that was set for it, whenever it is noticed: no time counts after it."""
    end_assignment(assignment=assignment, state=AssignmentState.LAPSED, now=assignment.lapses_at)


def screen_out(*, participation: Participation, now: datetime, attempt: int) -> None:
    """End a locked participation whose tries are used up; what that pays is fixed here."""
    participation.state = ParticipationState.SCREENED_OUT
    participation.compensation = participation.study.pay_screened_out
    participation.save(update_fields=["state", "compensation"])
    record(EventKind.SCREENED_OUT, participation=participation, now=now, attempt=attempt)


def delete_answers(*, assignment: Assignment) -> None:
    """Delete magnitudes, justifications and visits; the assignment's counts and its events remain."""
    Visit.objects.filter(assignment=assignment).delete()
    Judgment.objects.filter(assignment=assignment).delete()
    if assignment.answers_kept:
        assignment.answers_kept, assignment.failed_magnitudes = False, None
        assignment.save(update_fields=["answers_kept", "failed_magnitudes"])


def free_unit(*, unit_id: int) -> None:
    """Open the unit to others, unless its topic was retired meanwhile."""
    unit = Unit.objects.select_for_update(no_key=True, of=("self",)).select_related("topic").get(pk=unit_id)
    unit.state = UnitState.RETIRED if unit.topic.retired_at else UnitState.OPEN
    unit.save(update_fields=["state"])


def open_visit(assignment: Assignment) -> Visit | None:
    """The visit that goes on, with its judgment, where there is one."""
    return _OPEN_VISIT.first(assignment=assignment.pk)


def close_visit(visit: Visit | None, *, assignment: Assignment, now: datetime) -> None:
    """Close the visit that is open, if there is one, and count its seconds."""
    if visit is None:
        return
    visit.closed_at = now
    visit.seconds = visit_seconds(visit.opened_at, now, most=assignment.participation.study.visit_seconds)
    save_fields(visit, "closed_at", "seconds")

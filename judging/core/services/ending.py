"""End assignments before their unit is completed, and screen workers out.

Only this module deletes answers and frees units.
"""

from datetime import datetime
from decimal import Decimal
from typing import Final

from judging.core.services.events import record, record_in_unit
from judging.core.services.paying import UNIT_FIELDS, decide_screen_out, decide_unit
from judging.core.sql import first_row
from judging.models import Assignment, EventKind, Judgment, Participation, Unit, Visit
from judging.models.assignment import OF_FAILED
from judging.models.payable import DECISION_FIELDS
from judging.protocol.checks import comprehension
from judging.protocol.states import LIVE, AssignmentState, ParticipationState, UnitState
from judging.protocol.timing import visit_seconds

NO_PAY: Final = Decimal("0.00")
KIND_OF_END = {
    AssignmentState.COMPREHENSION_FAILED: comprehension.CHECK.event,
    AssignmentState.CHECKS_FAILED: EventKind.CHECKS_FAILED,
    AssignmentState.LAPSED: EventKind.LAPSED,
    AssignmentState.RETURNED: EventKind.RETURNED,
    AssignmentState.CANCELLED: EventKind.CANCELLED,
    AssignmentState.REPORTED: EventKind.REPORTED,
}
"""A dict whose keys are the states in which an assignment ends without a completed unit.

The values are the kinds of event to record.
"""


def end_assignment(
    *,
    assignment: Assignment,
    state: AssignmentState,
    now: datetime,
    compensation: Decimal = NO_PAY,
    **facts: object,
) -> None:
    """End a live, locked assignment without completing it, and free its unit.

    `compensation` is the worker's pay for the assignment; whether it is due is decided here. Delete the
    answers, unless `state` is LAPSED. The answers of a lapsed assignment are kept for at most a day, so that
    the worker can resume the unit.
    """
    close_visit(open_visit(assignment), assignment=assignment, now=now)
    assignment.state = state
    assignment.ended_at = now
    assignment.answers_kept = state == AssignmentState.LAPSED and assignment.began_judging
    assignment.held_from = ""
    assignment.compensation = compensation if assignment.participation.earns else NO_PAY
    if not assignment.answers_kept:
        assignment.forget_failed()
    decide_unit(assignment=assignment, now=now)
    fields = ("state", "ended_at", "answers_kept", "held_from", "compensation", *OF_FAILED)
    assignment.save(update_fields=[*fields, *UNIT_FIELDS])
    if state != AssignmentState.LAPSED:
        delete_answers(assignment=assignment)
    free_unit(unit_id=assignment.unit_id)
    record_in_unit(KIND_OF_END[state], assignment=assignment, now=now, **facts)


def end_live(*, participation: Participation, state: AssignmentState, now: datetime) -> None:
    """End the live assignment, if any, of a locked participation."""
    live = participation.assignments.filter(state__in=LIVE)
    for assignment in live.select_for_update(no_key=True).order_by("pk"):
        assignment.participation = participation
        end_assignment(assignment=assignment, state=state, now=now)


def lapse(*, assignment: Assignment) -> None:
    """End an expired assignment. Set `ended_at` to the time when it expired, not to the current time."""
    end_assignment(assignment=assignment, state=AssignmentState.LAPSED, now=assignment.lapses_at)


def screen_out(*, participation: Participation, now: datetime, attempt: int) -> None:
    """Screen out the worker of a locked participation, and set the compensation."""
    participation.state = ParticipationState.SCREENED_OUT
    participation.compensation = participation.study.pay_screened_out if participation.earns else NO_PAY
    decide_screen_out(participation=participation)
    participation.save(update_fields=["state", "compensation", *DECISION_FIELDS])
    record(EventKind.SCREENED_OUT, participation=participation, now=now, attempt=attempt)


def delete_answers(*, assignment: Assignment) -> None:
    """Delete magnitudes, justifications and visits, but not the assignment's counts and events."""
    Visit.objects.filter(assignment=assignment).delete()
    Judgment.objects.filter(assignment=assignment).delete()
    if assignment.answers_kept:
        assignment.answers_kept = False
        assignment.forget_failed()
        assignment.save(update_fields=["answers_kept", *OF_FAILED])


def free_unit(*, unit_id: int) -> None:
    """Make the unit available to other workers, unless its topic has been retired."""
    unit = Unit.objects.select_for_update(no_key=True, of=("self",)).select_related("topic").get(pk=unit_id)
    unit.state = UnitState.RETIRED if unit.topic.retired_at else UnitState.OPEN
    unit.save(update_fields=["state"])


def open_visit(assignment: Assignment) -> Visit | None:
    """Return the open visit of an assignment, or None if no visit is open."""
    return first_row(
        Visit,
        "SELECT * FROM judging_visit WHERE assignment_id = %s AND closed_at IS NULL",
        assignment.pk,
    )


def close_visit(visit: Visit | None, *, assignment: Assignment, now: datetime) -> None:
    """Close a visit and store its duration. Do nothing if the visit is None."""
    if visit is None:
        return
    visit.closed_at = now
    visit.seconds = visit_seconds(visit.opened_at, now, most=assignment.participation.study.visit_seconds)
    visit.save(update_fields=["closed_at", "seconds"])

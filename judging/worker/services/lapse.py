"""Let overdue assignments lapse, and reinstate lapsed assignments whose units are still free."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from judging.core.selectors.units import study_takes_work
from judging.core.services.ending import delete_answers, lapse
from judging.core.services.events import record_in_unit
from judging.core.services.paying import claim_money
from judging.limits import KEPT_AFTER_LAPSE, MOST_REINSTATEMENTS
from judging.models import Assignment, EventKind, Study, Unit
from judging.protocol.states import LIVE, AssignmentState, ParticipationState, UnitState
from judging.worker.services.address_limit import claim_place


def expire_assignments(*, now: datetime, study: Study | None = None) -> int:
    """Let the overdue assignments of one study or of all studies lapse. Return how many units became free.

    Also delete the answers of assignments that lapsed at least a day ago. Skip assignments that another
    transaction has locked, because their worker is acting on them.
    """
    overdue = Assignment.objects.filter(state__in=LIVE, lapses_at__lte=now)
    if study is not None:
        overdue = overdue.filter(participation__study=study)
    freed = sum(_lapse_one(pk, now) for pk in list(overdue.order_by("pk").values_list("pk", flat=True)))
    forget_old_answers(now=now)
    return freed


@transaction.atomic
def _lapse_one(pk: int, now: datetime) -> int:
    assignment = (
        Assignment.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        .select_related("participation__study")
        .filter(pk=pk, state__in=LIVE, lapses_at__lte=now)
        .first()
    )
    if assignment is None:
        return 0
    lapse(assignment=assignment)
    return 1


@transaction.atomic
def forget_old_answers(*, now: datetime) -> None:
    """Delete the answers of assignments that lapsed at least a day ago."""
    for assignment in assignments_to_forget(now=now).select_for_update(no_key=True, skip_locked=True):
        delete_answers(assignment=assignment)


def assignments_to_forget(*, now: datetime) -> QuerySet[Assignment]:
    """Return the assignments that lapsed at least a day ago and still have answers. An index holds them."""
    old = Assignment.objects.filter(answers_kept=True, ended_at__lte=now - KEPT_AFTER_LAPSE)
    return old.order_by("ended_at", "pk")


def hold(*, assignment: Assignment, now: datetime, address: str, answered: bool = False) -> bool:
    """Make a locked assignment live if possible, and return whether the worker's action on it counts.

    The action counts if the assignment is live. An overdue assignment lapses first. A lapsed assignment is
    reinstated, with a new time limit, if `can_be_reinstated` allows it. `answered` says whether the action is
    a complete answer. Raise AddressFullError if workers at the same network `address` hold as many units as
    the study allows.
    """
    if assignment.live and now < assignment.lapses_at:
        if answered and assignment.reinstatements:
            assignment.reinstatements = 0
            assignment.save(update_fields=["reinstatements"])
        return True
    if assignment.live or can_be_reinstated(assignment=assignment, now=now, answered=answered):
        # Lock the address before the unit, as a reservation does, to avoid deadlocks.
        study = assignment.participation.study
        held_from = claim_place(study=study, address=address, now=now)
        if assignment.live:
            lapse(assignment=assignment)
        if not assignment.participation.earns or claim_money(study):
            _reinstate(assignment, now, held_from=held_from, answered=answered)
    return assignment.live


def can_be_reinstated(*, assignment: Assignment, now: datetime, answered: bool = False) -> bool:
    """Return whether a lapsed assignment can continue.

    Its unit must be free, and its answers must not have been deleted. The study must give out work. The
    worker must be active and must not have another live unit. The number of times that a worker can come back
    without sending an answer is limited.
    """
    study = assignment.participation.study
    return (
        assignment.state == AssignmentState.LAPSED
        and assignment.ended_at is not None
        and now < assignment.ended_at + KEPT_AFTER_LAPSE
        and (answered or assignment.reinstatements < MOST_REINSTATEMENTS)
        and assignment.participation.state == ParticipationState.READY
        and (not assignment.began_judging or assignment.judgments.exists())
        and study_takes_work(study, now=now)
        and not assignment.participation.assignments.filter(state__in=LIVE).exists()
        and Unit.objects.filter(pk=assignment.unit_id, state=UnitState.OPEN).exists()
    )


def _reinstate(assignment: Assignment, now: datetime, *, held_from: str, answered: bool) -> None:
    unit = Unit.objects.select_for_update(no_key=True).get(pk=assignment.unit_id)
    # The study may have closed during the wait for the lock.
    assignment.participation.study.refresh_from_db(fields=["state"])
    if not can_be_reinstated(assignment=assignment, now=now, answered=answered):
        return
    unit.state = UnitState.RESERVED
    unit.save(update_fields=["state"])
    assignment.state = _state_before(assignment)
    assignment.answers_kept = False
    assignment.ended_at = None
    assignment.lapses_at = now + timedelta(minutes=assignment.participation.study.lapse_minutes)
    assignment.held_from = held_from
    assignment.reinstatements = 0 if answered else assignment.reinstatements + 1
    assignment.save(
        update_fields=["state", "answers_kept", "ended_at", "lapses_at", "held_from", "reinstatements"]
    )
    record_in_unit(EventKind.REINSTATED, assignment=assignment, now=now)


def _state_before(assignment: Assignment) -> AssignmentState:
    if assignment.failed_finishes:
        return AssignmentState.REVISING
    return AssignmentState.JUDGING if assignment.began_judging else AssignmentState.QUESTION

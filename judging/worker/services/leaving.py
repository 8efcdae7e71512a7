"""Give a unit back, report a document, resume a lapsed unit, and leave a study."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from judging.core.services.ending import delete_answers, end_assignment, end_live, free_unit
from judging.core.services.events import record, record_in_unit
from judging.core.services.locking import lock_assignment, lock_participation
from judging.core.services.paying import hold_deleted
from judging.models import EventKind, Participation, Unit, WorkerFigures
from judging.models.payable import DECISION_FIELDS
from judging.protocol.reported import Fault
from judging.protocol.states import AssignmentState, ParticipationState, UnitState
from judging.worker.selectors.participations import judgment_at_cursor
from judging.worker.services.lapse import hold


@transaction.atomic
def return_unit(*, participation: Participation, now: datetime, number: int | None = None) -> bool:
    """Give the live unit back, and return whether there was a live unit.

    `number` is the number of the assignment in the worker's form, or None if the platform returns the unit.
    If the unit has lapsed, only its answers are deleted. If the worker has completed the unit and the
    platform returns it, an event is recorded, but nothing else changes.
    """
    participation = lock_participation(participation)
    by_platform = number is None
    if number is None:
        number = participation.assignments.aggregate(latest=Max("number"))["latest"] or 0
    assignment = lock_assignment(participation, number)
    if assignment is None:
        return False
    if assignment.live:
        end_assignment(assignment=assignment, state=AssignmentState.RETURNED, now=now)
        return True
    if assignment.state == AssignmentState.LAPSED:
        delete_answers(assignment=assignment)
    elif assignment.state == AssignmentState.COMPLETED and by_platform:
        record_in_unit(EventKind.RETURNED_LATE, assignment=assignment, now=now)
    return False


@transaction.atomic
def report_document(
    *,
    participation: Participation,
    number: int,
    position: int,
    fault: Fault,
    now: datetime,
    second: bool = False,
) -> bool:
    """End the live unit because its worker cannot judge the document. Return whether that was possible.

    If the page compares two documents, `second` says whether the second one is at fault. The worker is not to
    blame, so the unit is paid like a cancelled unit. A form from an earlier page changes nothing.
    """
    participation = lock_participation(participation)
    assignment = lock_assignment(participation, number)
    if assignment is None or not assignment.live or assignment.cursor != position:
        return False
    judgment = judgment_at_cursor(assignment)
    if judgment is None:
        return False
    end_assignment(
        assignment=assignment,
        state=AssignmentState.REPORTED,
        now=now,
        compensation=participation.study.pay_cancelled,
        document=judgment.compared_with if second and judgment.compared_with else judgment.pool_document,
        fault=fault,
    )
    return True


@transaction.atomic
def resume_lapsed_unit(
    *, participation: Participation, number: int, now: datetime, address: str = ""
) -> bool:
    """Continue a lapsed or overdue unit if `hold` allows it. Return whether the unit is live.

    Raise AddressFullError if workers at the same network `address` hold as many units as the study allows.
    """
    assignment = lock_assignment(participation, number)
    return assignment is not None and hold(assignment=assignment, now=now, address=address)


@transaction.atomic
def drop_lapsed_answers(*, participation: Participation, number: int) -> None:
    """Delete the answers of a lapsed unit. Call this when its worker starts another unit."""
    assignment = lock_assignment(participation, number)
    if assignment is not None and assignment.state == AssignmentState.LAPSED:
        delete_answers(assignment=assignment)


@transaction.atomic
def withdraw(*, participation: Participation, delete_judgments: bool, now: datetime) -> None:
    """End a participation at the worker's request, and give the live unit back.

    The answers of lapsed units are deleted. With `delete_judgments`, the judgments of completed units are
    deleted too. Other workers can then take these units, unless the topic is retired or a copy of the unit
    exists. If there is a copy, workers judge the copy instead. Events and the measured times stay. A
    researcher decides about the pay for these units, unless it was made before.
    """
    participation = lock_participation(participation)
    end_live(participation=participation, state=AssignmentState.RETURNED, now=now)
    for lapsed in participation.assignments.filter(state=AssignmentState.LAPSED):
        delete_answers(assignment=lapsed)
    if delete_judgments:
        _delete_completed(participation, now)
    if participation.state != ParticipationState.WITHDRAWN:
        participation.state = ParticipationState.WITHDRAWN
        participation.save(update_fields=["state"])
        record(EventKind.WITHDRAWN, participation=participation, now=now)


def _delete_completed(participation: Participation, now: datetime) -> None:
    WorkerFigures.objects.filter(participation=participation).delete()
    completed = participation.assignments.filter(
        state=AssignmentState.COMPLETED, judgments_deleted_at__isnull=True
    )
    for assignment in completed.select_for_update(no_key=True).order_by("pk"):
        delete_answers(assignment=assignment)
        assignment.judgments_deleted_at, assignment.judgment_count = now, 0
        hold_deleted(assignment=assignment)
        assignment.save(update_fields=["judgments_deleted_at", "judgment_count", *DECISION_FIELDS])
        unit = Unit.objects.filter(pk=assignment.unit_id)
        unit.update(excluded_at=None, exclusion_reason="")
        if unit.filter(copies__isnull=False).exists():
            # A copy of the unit already collects these judgments again. If the original were open, it would
            # be judged too.
            unit.update(state=UnitState.RETIRED)
        else:
            free_unit(unit_id=assignment.unit_id)

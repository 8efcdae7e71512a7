"""What researchers do about a worker: block, take back in, free the unit under way, erase who it is."""

from datetime import datetime

from django.db import transaction

from judging.core.services.ending import end_live, lapse
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit, record
from judging.core.services.locking import lock_assignment, lock_participation
from judging.models import Actor, EventKind, Participation, PlatformIdentity, WorkerLink
from judging.protocol.states import ENDED_PARTICIPATIONS, AssignmentState, ParticipationState


@transaction.atomic
def block_worker(*, participation: Participation, now: datetime, actor: Actor = None) -> bool:
    """Keep a worker from further units; a live one is cancelled, completed ones and their codes stand.

    Returns whether there was anybody to block: a worker whose participation has ended stays as they are.
    """
    participation = lock_participation(participation)
    if participation.state in ENDED_PARTICIPATIONS:
        return False
    end_live(participation=participation, state=AssignmentState.CANCELLED, now=now)
    participation.state = ParticipationState.BLOCKED
    participation.save(update_fields=["state"])
    record(EventKind.BLOCKED, participation=participation, now=now)
    audit("blocked", study=participation.study, actor=actor, now=now, worker=participation.pseudonym)
    return True


@transaction.atomic
def unblock_worker(*, participation: Participation, now: datetime, actor: Actor = None) -> None:
    """Undo a block: the worker is where the practice task was left. A unit that was cancelled stays so.

    Raises RefusedError for a worker who is not blocked.
    """
    participation = lock_participation(participation)
    if participation.state != ParticipationState.BLOCKED:
        state = participation.get_state_display()
        raise RefusedError(f"Worker {participation.pseudonym} is not blocked, but {state}.")
    attempts = set(participation.practice_attempts.values_list("passed", flat=True))
    if True in attempts or participation.assignments.exists():
        participation.state = ParticipationState.READY
    else:
        participation.state = ParticipationState.PRACTISING if attempts else ParticipationState.CONSENTED
    participation.save(update_fields=["state"])
    audit("unblocked", study=participation.study, actor=actor, now=now, worker=participation.pseudonym)


@transaction.atomic
def erase_identity(*, participation: Participation, now: datetime, actor: Actor = None) -> None:
    """Delete who the worker is: on the platform, and by which personal link they came.

    The pseudonymous data is unchanged. The link lets nobody in any more.
    """
    PlatformIdentity.objects.filter(participation=participation).delete()
    WorkerLink.objects.filter(participation=participation).update(participation=None)
    audit("identity_erased", study=participation.study, actor=actor, now=now, worker=participation.pseudonym)


@transaction.atomic
def free_reservation(
    *, participation: Participation, number: int, now: datetime, actor: Actor = None
) -> None:
    """Let a live unit lapse before its time: open to others, and to its worker, while nobody has taken it.

    Raises RefusedError for one that is not live any more.
    """
    participation = lock_participation(participation)
    assignment = lock_assignment(participation, number)
    if assignment is None or not assignment.live:
        raise RefusedError("Nothing was freed: the unit is not being judged any more.")
    assignment.lapses_at = min(assignment.lapses_at, now)
    assignment.save(update_fields=["lapses_at"])
    lapse(assignment=assignment)
    audit(
        "reservation_freed",
        study=participation.study,
        actor=actor,
        now=now,
        worker=participation.pseudonym,
        topic=assignment.topic.number,
        unit=assignment.unit.number,
    )

"""Actions of researchers on a worker: block, unblock, free the reserved unit, erase the identity."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from judging.core.selectors.erased import hash_of_id
from judging.core.selectors.payments import HELD
from judging.core.services.ending import end_live, lapse
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit, record
from judging.core.services.locking import lock_assignment, lock_participation
from judging.models import (
    Actor,
    ErasedIdentity,
    Event,
    EventKind,
    Participation,
    PlatformIdentity,
    WorkerLink,
)
from judging.models.participation import Gate
from judging.protocol.paying import PayDecision, PayReason
from judging.protocol.states import (
    ENDED_PARTICIPATIONS,
    AssignmentState,
    ParticipationState,
    StudyState,
)


@transaction.atomic
def block_worker(*, participation: Participation, now: datetime, actor: Actor = None) -> bool:
    """Block a worker from further units, and cancel the worker's live unit.

    Return whether the worker was blocked. Completed units and their codes stay valid. If the participation
    has already ended, do nothing and return False.
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
    """Unblock a worker, who can then continue at the same step as before. A cancelled unit stays cancelled.

    Raise RefusedError if the worker is not blocked.
    """
    participation = lock_participation(participation)
    if participation.state != ParticipationState.BLOCKED:
        raise RefusedError(
            _("Worker {worker} is not blocked: the worker’s state is “{state}”.").format(
                worker=participation.pseudonym, state=_(participation.get_state_display())
            )
        )
    attempts = set(participation.practice_attempts.values_list("passed", flat=True))
    if True in attempts or participation.assignments.exists():
        participation.state = ParticipationState.READY
    else:
        participation.state = ParticipationState.PRACTISING if attempts else ParticipationState.CONSENTED
    participation.save(update_fields=["state"])
    audit("unblocked", study=participation.study, actor=actor, now=now, worker=participation.pseudonym)


@transaction.atomic
def clear_record(*, participation: Participation, now: datetime, actor: Actor = None) -> int:
    """Let a worker go on whose record looked like guessing, and make the pay due that was held for it.

    Return the number of payments that become due. Raise RefusedError if the worker is not stopped.
    """
    participation = lock_participation(participation)
    if participation.gate != Gate.CLOSED:
        raise RefusedError(
            _("Worker {worker} is not stopped. Reload the page.").format(worker=participation.pseudonym)
        )
    participation.gate = Gate.OPENED
    participation.save(update_fields=["gate"])
    held = participation.assignments.filter(HELD, pay_reason=PayReason.RECORD.value)
    due = held.update(pay_decision=PayDecision.PAY.value, pay_reason=PayReason.REVIEWED.value)
    audit(
        "record_cleared",
        study=participation.study,
        actor=actor,
        now=now,
        worker=participation.pseudonym,
        payments=due,
    )
    return due


@transaction.atomic
def erase_identity(*, participation: Participation, now: datetime, actor: Actor = None) -> None:
    """Delete the platform ids that are stored for a worker, and the worker's connections to other people.

    These are a personal link, which no longer works, and other workers in the same browser. The pseudonymous
    data stays. Until the study is closed, a keyed hash of the id remains, so that nobody can start again with
    this id: otherwise, a worker who is blocked could.
    """
    for identity in PlatformIdentity.objects.filter(participation=participation):
        if participation.study.state != StudyState.CLOSED:
            ErasedIdentity.objects.get_or_create(
                study=identity.study, id_hash=hash_of_id(identity.study, identity.platform_id)
            )
        identity.delete()
    WorkerLink.objects.filter(participation=participation).update(participation=None)
    _forget_shared_browsers(participation)
    audit("identity_erased", study=participation.study, actor=actor, now=now, worker=participation.pseudonym)


def _forget_shared_browsers(participation: Participation) -> None:
    """Delete what says that a worker and other workers used the same browser.

    `note_same_browser` records an event for each of two workers at the same time.
    """
    others = Participation.objects.filter(Q(pk=participation.same_browser_id) | Q(same_browser=participation))
    events = Event.objects.filter(kind=EventKind.SAME_BROWSER)
    moments = list(events.filter(participation=participation).values_list("at", flat=True))
    events.filter(participation__in=[participation, *others], at__in=moments).delete()
    Participation.objects.filter(same_browser=participation).update(same_browser=None)
    Participation.objects.filter(pk=participation.pk).update(same_browser=None)
    participation.same_browser = None


@transaction.atomic
def free_reservation(
    *, participation: Participation, number: int, now: datetime, actor: Actor = None
) -> None:
    """Let a live unit lapse now, so that other workers can take it.

    Until another worker takes the unit, this worker can still continue it. Raise RefusedError if the unit is
    no longer live.
    """
    participation = lock_participation(participation)
    assignment = lock_assignment(participation, number)
    if assignment is None or not assignment.live:
        raise RefusedError(_("The worker is no longer judging this unit, so there is nothing to free."))
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

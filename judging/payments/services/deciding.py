"""Decide about held payments: make them due, or refuse them with a reason that the worker reads."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import DECIDED, SCREENED_OUT
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_assignment, lock_participation
from judging.models import Actor, Assignment, Participation
from judging.models.payable import DECISION_FIELDS, LONGEST_NOTE
from judging.protocol.paying import PayDecision, PayReason


@transaction.atomic
def resolve_payment(
    *,
    participation: Participation,
    number: int | None,
    pays: bool,
    note: str = "",
    now: datetime,
    actor: Actor = None,
) -> None:
    """Make a held payment due, or refuse it with a `note` for the worker. Write an audit entry.

    `number` is the number of the worker's attempt, or None for the pay for being screened out. Pay that was
    refused for a unit without completion can become due again. Raise RefusedError if the payment cannot be
    decided, or if a refusal has no note.
    """
    note = " ".join(note.split())
    if not pays and not note:
        raise RefusedError(_("Say why you refuse the payment. The worker reads the reason."))
    if len(note) > LONGEST_NOTE:
        raise RefusedError(
            _("The reason is too long. Use at most {limit} characters.").format(limit=LONGEST_NOTE)
        )
    participation = lock_participation(participation)
    row = participation if number is None else _locked_unit(participation, number)
    before = row.pay_reason
    if row.paid_at is not None or not _can_be_decided(row, pays=pays):
        raise RefusedError(_("This payment is not held, so there is nothing to decide. Reload the page."))
    row.pay_decision = PayDecision.PAY if pays else PayDecision.REFUSE
    row.pay_reason, row.pay_note = PayReason.REVIEWED, "" if pays else note
    row.save(update_fields=DECISION_FIELDS)
    audit(
        "payment_decided",
        study=participation.study,
        actor=actor,
        now=now,
        worker=participation.pseudonym,
        unit=_name(row),
        decision=row.pay_decision,
        held_for=before,
        reason=row.pay_note,
        amount=str(row.amount),
        currency=participation.study.currency,
    )


def _locked_unit(participation: Participation, number: int) -> Assignment:
    assignment = lock_assignment(participation, number)
    if assignment is None or not Assignment.objects.filter(DECIDED, pk=assignment.pk).exists():
        raise RefusedError(_("The worker has no payment for this unit. Reload the page."))
    return assignment


def _can_be_decided(row: Assignment | Participation, *, pays: bool) -> bool:
    if not row.amount:
        return False
    if row.pay_decision == PayDecision.HOLD:
        return True
    # A platform's reward may have paid for another unit of the visit instead of a refused completed one.
    is_completed = isinstance(row, Assignment) and row.completion_code is not None
    return pays and row.pay_decision == PayDecision.REFUSE and not is_completed


def _name(row: Assignment | Participation) -> str:
    return unit_id(row.topic.number, row.unit.number) if isinstance(row, Assignment) else SCREENED_OUT

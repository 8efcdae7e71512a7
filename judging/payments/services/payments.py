"""Mark payments as paid."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import HELD, NOT_REFUSED, SCREENED_OUT, decided, decided_screen_outs
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.models import Actor, Assignment, Participation, Study
from judging.protocol.paying import PayDecision, PayReason

_BATCH: Final = 500


class ExportedPayment(NamedTuple):
    """A payment, with the values that identify it in an export.

    Error messages begin with `where`: the file and line of the payment, or else its unit or worker.
    """

    where: str
    state: str
    worker_id: str
    unit_id: str
    amount: Decimal


@dataclass(frozen=True)
class Marked:
    """The result of `mark_paid` or `unmark_paid`.

    `new` is the number of payments whose mark has changed, and `amount` is their total. `already` is the
    number of payments that did not need a change.
    """

    new: int
    already: int
    amount: Decimal


REVIEWED: Final = {
    "pay_decision": PayDecision.PAY.value,
    "pay_reason": PayReason.REVIEWED.value,
    "pay_note": "",
}
"""The fields of a payment after a researcher decided to make it."""
_Row = Participation | Assignment
_Key = tuple[str, str, str]
_Finder = Callable[[Study, list[str]], dict[_Key, tuple[_Row, Decimal]]]


@transaction.atomic
def mark_paid(
    *, study: Study, payments: Sequence[ExportedPayment], now: datetime, actor: Actor = None
) -> Marked:
    """Mark payments as paid. Payments that are already marked keep their date.

    A held payment is no longer held if it is marked as paid: it was made before it could be held.

    Raise RefusedError and mark nothing if a payment does not exist in this study or has a different amount.
    """
    marked = _set_marks(study, payments, paid_at=now)
    if marked.new:
        audit("payments_marked", study=study, actor=actor, now=now, **_detail(study, marked))
    return marked


@transaction.atomic
def unmark_paid(
    *, study: Study, payments: Sequence[ExportedPayment], now: datetime, actor: Actor = None
) -> Marked:
    """Mark payments as due again. Call this if the platform has refused to make the payments.

    Raise RefusedError as `mark_paid` does.
    """
    marked = _set_marks(study, payments, paid_at=None)
    if marked.new:
        audit("payments_unmarked", study=study, actor=actor, now=now, **_detail(study, marked))
    return marked


def _detail(study: Study, marked: Marked) -> dict[str, object]:
    return {"payments": marked.new, "amount": str(marked.amount), "currency": study.currency}


def _set_marks(study: Study, payments: Sequence[ExportedPayment], *, paid_at: datetime | None) -> Marked:
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    # Lock participations before assignments, as a worker's own actions do, to avoid deadlocks.
    screened_out = [payment for payment in payments if payment.state == SCREENED_OUT]
    units = [payment for payment in payments if payment.state != SCREENED_OUT]
    new = _mark(study, screened_out, Participation, _compensated_workers, paid_at)
    new += _mark(study, units, Assignment, _paid_units, paid_at)
    return Marked(len(new), len(payments) - len(new), sum(new, start=Decimal("0.00")))


def _mark(
    study: Study,
    payments: Iterable[ExportedPayment],
    model: type[_Row],
    find: _Finder,
    paid_at: datetime | None,
) -> list[Decimal]:
    """Mark payments of one kind as paid at `paid_at`, or as due if `paid_at` is None.

    Return the amounts of the payments whose mark changed.
    """
    amounts: list[Decimal] = []
    # `find` reads all rows of each worker, so sort by worker to have few workers in a batch.
    remaining = iter(sorted(payments, key=lambda payment: payment.worker_id))
    while batch := list(islice(remaining, _BATCH)):
        rows = find(study, [payment.worker_id for payment in batch])
        changed = {}
        for payment in batch:
            row, amount = rows.get((payment.state, payment.worker_id, payment.unit_id), (None, None))
            _check(study, payment, amount)
            if row is not None and (row.paid_at is None) != (paid_at is None):
                changed[row.pk] = payment.amount
        marked = model.objects.filter(pk__in=changed)
        if paid_at is not None:  # payments that were exported as due, and held before they were marked
            marked.filter(HELD).update(**REVIEWED)
        marked.update(paid_at=paid_at)
        amounts += changed.values()
    return amounts


def _check(study: Study, payment: ExportedPayment, amount: Decimal | None) -> None:
    if amount is None:
        raise RefusedError(
            _(
                "{place}: study {study} has no payment with the state {state} for worker {worker} and"
                " unit “{unit}”. Upload an unchanged export of this study."
            ).format(
                place=payment.where,
                study=study.slug,
                state=payment.state,
                worker=payment.worker_id,
                unit=payment.unit_id,
            )
        )
    if amount != payment.amount:
        raise RefusedError(
            _(
                "{place}: `amount` is {amount}, but the amount due is {due}."
                " Upload the exported file without changes."
            ).format(place=payment.where, amount=payment.amount, due=amount)
        )


def _compensated_workers(study: Study, workers: list[str]) -> dict[_Key, tuple[_Row, Decimal]]:
    rows = decided_screen_outs(study).filter(NOT_REFUSED, pseudonym__in=workers).order_by()
    return {(SCREENED_OUT, row.pseudonym, ""): (row, row.compensation) for row in rows}


def _paid_units(study: Study, workers: list[str]) -> dict[_Key, tuple[_Row, Decimal]]:
    rows = decided(study).filter(NOT_REFUSED, participation__pseudonym__in=workers).order_by()
    return {
        (row.state, row.participation.pseudonym, unit_id(row.topic.number, row.unit.number)): (
            row,
            row.amount,
        )
        for row in rows.select_related("participation", "topic", "unit")
    }

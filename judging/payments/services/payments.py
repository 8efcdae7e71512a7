"""Recording that payments were handed over to the platform."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Final, NamedTuple

from django.db import transaction

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import SCREENED_OUT, compensated, payable
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.models import Actor, Assignment, Participation, Study

_BATCH: Final = 500


class HandedOver(NamedTuple):
    """A payment as it was exported; `where` says on which line of which file it stands."""

    where: str
    state: str
    worker_id: str
    unit_id: str
    amount: Decimal


@dataclass(frozen=True)
class Marked:
    """`new` payments that come to `amount` were marked, `already` had been before."""

    new: int
    already: int
    amount: Decimal


_Row = Participation | Assignment
_Key = tuple[str, str, str]
_Finder = Callable[[Study, list[str]], dict[_Key, tuple[_Row, Decimal]]]


@transaction.atomic
def mark_paid(*, study: Study, payments: Sequence[HandedOver], now: datetime, actor: Actor = None) -> Marked:
    """Mark payments as handed over; those marked before keep their date: a second time changes nothing.

    Raises RefusedError, and marks none, where one is not due in this study or its amount is another.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    # Participations come before assignments, as in a worker's own actions: nobody waits in a circle.
    screened_out = [one for one in payments if one.state == SCREENED_OUT]
    units = [one for one in payments if one.state != SCREENED_OUT]
    new = _mark(study, screened_out, Participation, _compensated_workers, now)
    new += _mark(study, units, Assignment, _paid_units, now)
    marked = Marked(len(new), len(payments) - len(new), sum(new, start=Decimal("0.00")))
    if new:
        audit(
            "payments_marked",
            study=study,
            actor=actor,
            now=now,
            payments=marked.new,
            amount=str(marked.amount),
            currency=study.currency,
        )
    return marked


def _mark(
    study: Study, payments: Iterable[HandedOver], model: type[_Row], find: _Finder, now: datetime
) -> list[Decimal]:
    """Mark payments of one kind, batch by batch; the amounts of those that were not marked before."""
    amounts: list[Decimal] = []
    rest = iter(sorted(payments, key=lambda one: one.worker_id))  # few workers a batch: each is read whole
    while batch := list(islice(rest, _BATCH)):
        found = find(study, [one.worker_id for one in batch])
        unmarked = {}
        for one in batch:
            row, amount = found.get((one.state, one.worker_id, one.unit_id), (None, None))
            _check(study, one, amount)
            if row is not None and row.paid_at is None:
                unmarked[row.pk] = one.amount
        model.objects.filter(pk__in=unmarked).update(paid_at=now)
        amounts += unmarked.values()
    return amounts


def _check(study: Study, payment: HandedOver, amount: Decimal | None) -> None:
    if amount is None:
        raise RefusedError(
            f"{payment.where}: study {study.slug} has no such payment, {payment.state} of worker"
            f" {payment.worker_id}; hand in an export of this study as it is."
        )
    if amount != payment.amount:
        raise RefusedError(
            f"{payment.where}: amount: {payment.amount} is not what is due, {amount};"
            " hand in the export as it is."
        )


def _compensated_workers(study: Study, workers: list[str]) -> dict[_Key, tuple[_Row, Decimal]]:
    rows = compensated(study).filter(pseudonym__in=workers).order_by()
    return {(SCREENED_OUT, row.pseudonym, ""): (row, row.compensation) for row in rows}


def _paid_units(study: Study, workers: list[str]) -> dict[_Key, tuple[_Row, Decimal]]:
    rows = payable(study).filter(participation__pseudonym__in=workers).order_by()
    return {
        (row.state, row.participation.pseudonym, unit_id(row.topic.number, row.unit.number)): (
            row,
            row.amount,
        )
        for row in rows.select_related("participation", "topic", "unit")
    }

"""Store what happens to a payment when a unit or a participation ends, and keep to the spending limit."""

from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Count, Sum
from django.utils.crypto import salted_hmac

from judging.core.selectors.payments import compensations_of, has_money_for_a_unit, money_left
from judging.core.services.gating import weigh_record
from judging.models import Assignment, Participation, Study, Visit
from judging.models.payable import DECISION_FIELDS, Payable
from judging.protocol.paying import (
    HELD_AS_DELETED,
    PayDecision,
    PayFacts,
    PayReason,
    PayVerdict,
    decide,
    least_seconds,
)
from judging.protocol.states import AssignmentState

UNIT_FIELDS: Final = (*DECISION_FIELDS, "open_seconds")
"""The fields of an assignment that `decide_unit` sets."""


def claim_money(study: Study) -> bool:
    """Return whether the spending limit allows another reservation.

    Other reservations in this study wait until the transaction ends, so that units reserved at the same time
    do not exceed the limit together. Call this before a unit is locked. Without a limit, this takes no query.
    """
    if study.spending_limit is None:
        return True
    _wait_for_other_spending(study)
    return has_money_for_a_unit(study)


def _wait_for_other_spending(study: Study) -> None:
    if connection.vendor != "postgresql":  # SQLite has one writer at a time anyway
        return
    shared = study.front_id or study.pk  # the arms of a study share its limit
    name = salted_hmac("plumbline.spending", str(shared), algorithm="sha256").digest()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(name[:8], signed=True)])


def decide_unit(*, assignment: Assignment, now: datetime) -> None:
    """Measure the time of a unit that ends, and set what happens to its pay, without saving the row.

    The state and the compensation of the locked assignment must be set. Call this before its visits are
    deleted.
    """
    measured = Visit.objects.filter(assignment=assignment).aggregate(
        seconds=Sum("seconds"), documents=Count("judgment", distinct=True)
    )
    assignment.open_seconds = measured["seconds"] or 0.0
    # The clean-up lets units lapse without a lock on their workers, so it decides nothing about a worker.
    guessed = assignment.state != AssignmentState.LAPSED and weigh_record(ending=assignment, now=now)
    _apply(_verdict_on(assignment, measured["documents"], guessed), assignment)


def decide_compensated(*, assignment: Assignment) -> None:
    """Decide again about a unit for which an owner sets a compensation after its end, without saving it.

    The worker lost the unit through no fault of their own, so only the measured time counts.
    """
    study = assignment.participation.study
    facts = PayFacts(
        amount=assignment.compensation,
        completed=False,
        seconds=assignment.open_seconds or 0.0,
        least_seconds=_least_seconds(study, study.unit_size) if assignment.open_seconds is not None else 0.0,
    )
    _apply(decide(facts), assignment)


def _verdict_on(assignment: Assignment, documents: int, guessed: bool) -> PayVerdict:
    participation = assignment.participation
    study = participation.study
    completed = assignment.state == AssignmentState.COMPLETED
    amount = assignment.amount
    return decide(
        PayFacts(
            amount=amount,
            completed=completed,
            seconds=assignment.open_seconds or 0.0,
            least_seconds=_least_seconds(study, documents),
            compensated=0 if completed or not amount else compensations_of(participation),
            most_compensated=study.max_compensations_per_worker,
            looks_guessed=guessed,
        )
    )


def _least_seconds(study: Study, documents: int) -> float:
    return least_seconds(
        least_paid_seconds=study.least_paid_seconds,
        seconds_per_document=study.seconds_per_document,
        documents=documents,
    )


def decide_screen_out(*, participation: Participation) -> None:
    """Set what happens to the pay for being screened out, without saving it.

    The practice and the questions have minimum times of their own, so no time is measured here.
    """
    study = participation.study
    if study.spending_limit is not None and participation.compensation:
        _wait_for_other_spending(study)
    facts = PayFacts(
        amount=participation.compensation,
        completed=False,
        compensated=compensations_of(participation) if participation.compensation else 0,
        most_compensated=study.max_compensations_per_worker,
        available=money_left(study) if participation.compensation else None,
    )
    _apply(decide(facts), participation)


def hold_deleted(*, assignment: Assignment) -> None:
    """Hold the pay for a completed unit whose judgments its worker deletes, without saving it.

    A payment that was made, refused or decided by a researcher stays as it is.
    """
    decided = assignment.pay_decision != PayDecision.PAY or assignment.pay_reason == PayReason.REVIEWED
    if assignment.amount and assignment.paid_at is None and not decided:
        _apply(HELD_AS_DELETED, assignment)


def _apply(verdict: PayVerdict, row: Payable) -> None:
    row.pay_decision = verdict.decision
    row.pay_reason = verdict.reason or ""
    row.pay_note = ""

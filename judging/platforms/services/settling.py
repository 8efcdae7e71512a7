"""Approve the work that a platform lists, pay bonuses, and mark the payments. Nothing here rejects work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from judging.core.selectors.payments import COMPLETED
from judging.core.services.errors import RefusedError
from judging.payments.services.payments import ExportedPayment, mark_paid, unmark_paid
from judging.platforms.operations import Bonus, Operations, Submission, UnansweredError
from judging.platforms.selectors.visits import PaidVisit, visits_by_ids
from judging.platforms.services.submissions import note_status


@dataclass(frozen=True)
class Listed:
    """A submission on the platform. `visit` is the stored visit with the same ids, or None."""

    submission: Submission
    visit: PaidVisit | None


def list_submissions(*, operations: Operations, now: datetime) -> list[Listed]:
    """Return the submissions of a study. Free the units of workers who have given up on the platform."""
    study, submissions = operations.study, list(operations.submissions())
    for submission in submissions if operations.freeing else ():
        note_status(
            platform=study.platform,
            submission=submission.id,
            worker=submission.worker,
            status=submission.status,
            sent_at=now,
            freeing=operations.freeing,
            now=now,
        )
    visits = visits_by_ids(study)
    return [Listed(row, visits.get((row.id, row.worker))) for row in submissions]


def approve(*, operations: Operations, listed: Sequence[Listed], now: datetime) -> list[ExportedPayment]:
    """Approve the submissions whose visits have an unpaid reward, and mark the rewards as paid.

    If the platform has already paid a reward, only mark it. Each reward is marked right after its submission
    is approved, so that an error leaves no doubt about who was paid. Return the rewards that were marked.

    Raise RefusedError and approve nothing if the platform pays another reward than the study.
    """
    pay = operations.study.pay_per_unit
    for name, reward in operations.rewards().items():
        if reward != pay:
            raise RefusedError(
                f"{name}: its reward is {reward} {operations.study.currency}, but a unit pays {pay}. Pay it"
                f" on {operations.title} by hand."
            )
    payments = []
    for row in listed:
        if row.visit is None or (payment := row.visit.reward) is None:
            continue
        if row.submission.status == operations.waiting and payment.state == COMPLETED:
            operations.approve(row.submission.id)
        elif row.submission.status != operations.rewarded.get(payment.state):
            continue
        mark_paid(study=operations.study, payments=[payment], now=now)
        payments.append(payment)
    return payments


def bonus_batches(operations: Operations, listed: Sequence[Listed]) -> Iterator[list[PaidVisit]]:
    """Yield batches of visits that have a bonus and are no longer in progress."""
    visits = [
        row.visit
        for row in listed
        if row.visit is not None and row.visit.bonus and row.submission.status not in operations.in_progress
    ]
    size = operations.most_bonuses or len(visits) or 1
    for start in range(0, len(visits), size):
        yield visits[start : start + size]


def pay_bonus(*, operations: Operations, bonus: Bonus, now: datetime) -> None:
    """Pay prepared bonuses, and mark them as paid.

    If the request can be repeated, the payments are marked afterwards. Otherwise they are marked first, so
    that an interruption cannot lead to a second payment. If the platform then refuses, the marks are removed
    again. If it does not answer, the payments stay marked, and UnansweredError says what to do.
    """
    payments = [payment for visit in bonus.visits for payment in visit.bonus]
    if operations.can_repeat_bonus:
        operations.pay_bonus(bonus)
        mark_paid(study=operations.study, payments=payments, now=now)
        return
    mark_paid(study=operations.study, payments=payments, now=now)
    try:
        operations.pay_bonus(bonus)
    except UnansweredError as error:
        title = operations.title
        raise UnansweredError(
            f"{error} {title} may have paid the bonuses {bonus.id}, so they are marked as paid. Look on"
            f" {title} whether it did. If not, pay them there."
        ) from error
    except RefusedError:
        unmark_paid(study=operations.study, payments=payments, now=now)
        raise

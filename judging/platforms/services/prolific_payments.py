"""Approve submissions on Prolific, and pay their bonuses. Nothing here rejects a submission."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from judging.core.selectors.payments import SCREENED_OUT
from judging.core.services.errors import RefusedError
from judging.models import Actor, Study
from judging.payments.services.payments import ExportedPayment, mark_paid, unmark_paid
from judging.platforms.clients.prolific import Client, Submission, UnansweredError
from judging.platforms.selectors.visits import PaidVisit, visits_by_ids
from judging.platforms.services.prolific_messages import FREEING
from judging.platforms.services.submissions import note_status
from judging.protocol.platforms.prolific import PLATFORM

_AT_ONCE: Final = 200
"""The maximum number of visits in one request for bonuses."""
_IN_WORK: Final = ("RESERVED", "ACTIVE")
_WAITING: Final = "AWAITING REVIEW"


@dataclass(frozen=True)
class Listed:
    """A submission on Prolific. `visit` is the stored visit with the same ids, or None if there is none."""

    submission: Submission
    visit: PaidVisit | None


def read_submissions(*, study: Study, client: Client, prolific_study: str, now: datetime) -> list[Listed]:
    """Return the submissions of a study on Prolific, and record their statuses with `note_status`."""
    submissions = list(client.submissions(prolific_study))
    for submission in submissions:
        note_status(
            platform=PLATFORM.name,
            submission=submission.id,
            worker=submission.participant,
            status=submission.status,
            sent_at=now,
            freeing=FREEING,
            now=now,
        )
    visits = visits_by_ids(study)
    return [Listed(one, visits.get((one.id, one.participant))) for one in submissions]


def approve(
    *, study: Study, client: Client, listed: Sequence[Listed], now: datetime, actor: Actor = None
) -> list[ExportedPayment]:
    """Approve the submissions whose visits have an unpaid reward, and mark the rewards as paid.

    If Prolific has already paid a reward, only mark it. Each reward is marked right after its submission is
    approved, so that an error leaves no doubt about who was paid. Return the rewards that were marked.
    """
    payments = []
    for row in listed:
        if row.visit is None or (reward := row.visit.reward) is None:
            continue
        if row.submission.status == _WAITING and reward.state != SCREENED_OUT:
            client.approve(row.submission.id)
        elif row.submission.status != _paid_status(reward):
            continue
        mark_paid(study=study, payments=[reward], now=now, actor=actor)
        payments.append(reward)
    return payments


def _paid_status(reward: ExportedPayment) -> str:
    return "SCREENED OUT" if reward.state == SCREENED_OUT else "APPROVED"


def bonus_batches(listed: Sequence[Listed]) -> Iterator[list[PaidVisit]]:
    """Yield batches of visits that have a bonus and are no longer in progress: one batch for each request."""
    visits = [
        row.visit
        for row in listed
        if row.visit is not None and row.visit.bonus and row.submission.status not in _IN_WORK
    ]
    for start in range(0, len(visits), _AT_ONCE):
        yield visits[start : start + _AT_ONCE]


def bonus_lines(visits: Sequence[PaidVisit]) -> str:
    """Return the bonuses in the format that Prolific reads: one line `submission,amount` for each visit."""
    return "".join(f"{visit.submission.submission_id},{visit.bonus_amount}\n" for visit in visits)


def pay_bonuses(
    *,
    study: Study,
    client: Client,
    bonuses: str,
    visits: Sequence[PaidVisit],
    now: datetime,
    actor: Actor = None,
) -> int:
    """Pay bonuses that are set up on Prolific, mark them as paid, and return the number of payments.

    The payments are marked first, so that an interruption cannot lead to a second payment. If Prolific
    refuses, the marks are removed again. If Prolific does not answer, the payments stay marked, and
    UnansweredError says what to do.
    """
    payments = [payment for visit in visits for payment in visit.bonus]
    mark_paid(study=study, payments=payments, now=now, actor=actor)
    try:
        client.pay_bonuses(bonuses)
    except UnansweredError as error:
        raise UnansweredError(
            f"{error} Prolific may have paid the bonuses {bonuses}, so they are marked as paid. Look on"
            " Prolific whether it did. If not, pay them there."
        ) from error
    except RefusedError:
        unmark_paid(study=study, payments=payments, now=now, actor=actor)
        raise
    return len(payments)

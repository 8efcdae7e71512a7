"""Approve and reject assignments on MTurk, and pay their bonuses, with boto3's own client.

Source: Amazon's MTurk API reference, version 2017-01-17, read on 2026-11-25.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from judging.core.services.errors import RefusedError
from judging.models import Actor, Study
from judging.payments.services.payments import ExportedPayment, mark_paid
from judging.platforms.selectors.visits import PaidVisit, visits_by_ids

_DUPLICATE: Final = "AWS.MechanicalTurk.DuplicateRequest"
"""The error code for a bonus that was already paid with the same token."""
_SUBMITTED: Final = "Submitted"
_APPROVED: Final = "Approved"


@dataclass(frozen=True)
class Listed:
    """An assignment on MTurk. `visit` is the stored visit with the same ids, or None if there is none."""

    id: str
    worker: str
    status: str
    visit: PaidVisit | None


def read_assignments(*, study: Study, client: Any, hits: Sequence[str]) -> list[Listed]:
    """Return the assignments that workers submitted for the HITs.

    Raise RefusedError if a request to MTurk fails.
    """
    visits = visits_by_ids(study)
    return [
        Listed(row["AssignmentId"], row["WorkerId"], row["AssignmentStatus"], visits.get(_ids(row)))
        for hit in hits
        for row in _assignments(client, hit)
    ]


def _assignments(client: Any, hit: str) -> Iterator[dict[str, Any]]:
    pages = client.get_paginator("list_assignments_for_hit").paginate(HITId=hit)
    try:
        for page in pages:
            yield from page["Assignments"]
    except (ClientError, BotoCoreError) as error:
        raise _refusal(error) from error


def _ids(row: dict[str, Any]) -> tuple[str, str]:
    return row["AssignmentId"], row["WorkerId"]


def approve(
    *, study: Study, client: Any, listed: Sequence[Listed], now: datetime, actor: Actor = None
) -> list[ExportedPayment]:
    """Approve the assignments whose visits have an unpaid reward, and mark the rewards as paid.

    If MTurk has already approved an assignment, only mark its reward. Return the rewards that were marked.
    """
    payments = []
    for row in listed:
        if row.visit is None or (reward := row.visit.reward) is None:
            continue
        if row.status == _SUBMITTED:
            _call(client.approve_assignment, AssignmentId=row.id)
        elif row.status != _APPROVED:
            continue
        mark_paid(study=study, payments=[reward], now=now, actor=actor)
        payments.append(reward)
    return payments


def reject(*, client: Any, assignment: str, reason: str) -> None:
    """Reject one assignment, with a reason that the worker reads.

    Plumbline never does this by itself: only the command line calls this function.
    """
    _call(client.reject_assignment, AssignmentId=assignment, RequesterFeedback=reason)


def bonuses_due(listed: Sequence[Listed]) -> list[Listed]:
    """Return the assignments whose visits have an unpaid bonus."""
    return [row for row in listed if row.visit is not None and row.visit.bonus]


def pay_bonus(
    *, study: Study, client: Any, row: Listed, reason: str, now: datetime, actor: Actor = None
) -> Decimal:
    """Pay the bonus for an assignment, mark the bonus as paid, and return its amount.

    The token of the request depends on the payments, so MTurk pays the same bonus only once.
    """
    if row.visit is None:
        return Decimal(0)
    payments = row.visit.bonus
    keys = sorted("/".join((study.slug, pay.worker_id, pay.unit_id, pay.state)) for pay in payments)
    token = hashlib.sha256("\n".join(keys).encode()).hexdigest()
    try:
        client.send_bonus(
            WorkerId=row.worker,
            AssignmentId=row.id,
            BonusAmount=f"{row.visit.bonus_amount:.2f}",
            Reason=reason,
            UniqueRequestToken=token,
        )
    except ClientError as error:
        if error.response.get("TurkErrorCode") != _DUPLICATE:
            raise _refusal(error) from error
    except BotoCoreError as error:
        raise _refusal(error) from error
    mark_paid(study=study, payments=payments, now=now, actor=actor)
    return row.visit.bonus_amount


def check_reward(*, client: Any, hits: Sequence[str], pay: Decimal) -> None:
    """Raise RefusedError if the reward of a HIT differs from the pay per unit.

    Call this before anybody is paid.
    """
    for hit in hits:
        reward = Decimal(_call(client.get_hit, HITId=hit)["HIT"]["Reward"])
        if reward != pay:
            raise RefusedError(
                f"HIT {hit}: its reward is {reward} USD, but a unit pays {pay}. Pay it on MTurk by hand."
            )


def _call(operation: Any, **arguments: str) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = operation(**arguments)
    except (ClientError, BotoCoreError) as error:
        raise _refusal(error) from error
    return answer


def _refusal(error: Exception) -> RefusedError:
    return RefusedError(f"MTurk: {error}")

"""Record what a platform says about a submission. If the worker has given up, free the unit."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from django.db import transaction

from judging.models import Assignment, Participation, PlatformSubmission
from judging.protocol.states import LIVE
from judging.worker.services.leaving import return_unit


class Effect(StrEnum):
    """The effect of a platform's message."""

    REPEATED = "repeated"
    UNKNOWN = "unknown"
    """No worker has arrived with this submission."""
    OLDER = "older"
    """A message that was sent later has already arrived."""
    NOTED = "noted"
    FREED = "freed"
    """The unit of the submission is open again."""


@transaction.atomic
def note_status(
    *,
    platform: str,
    submission: str,
    worker: str,
    status: str,
    sent_at: datetime,
    freeing: Collection[str],
    now: datetime,
) -> Effect:
    """Record a submission's status, which the platform sent at `sent_at`.

    If the status is one of `freeing`, the worker can no longer submit. The function then frees the worker's
    unit, unless the worker has a later submission. A completed unit stays completed; see `return_unit`.
    `submission` and `worker` are the platform's ids.
    """
    rows = PlatformSubmission.objects.filter(
        submission_id=submission, identity__platform_id=worker, identity__study__platform=platform
    )
    locked = rows.select_for_update(of=("self",), no_key=True).select_related("identity").order_by("pk")
    effects = [_note(row, status, sent_at, freeing, now) for row in locked]
    return max(effects, key=list(Effect).index, default=Effect.UNKNOWN)


def _note(
    row: PlatformSubmission, status: str, sent_at: datetime, freeing: Collection[str], now: datetime
) -> Effect:
    if row.status_at is not None and sent_at < row.status_at:
        return Effect.OLDER
    row.status, row.status_at = status[:20], sent_at
    row.save(update_fields=["status", "status_at"])
    if status not in freeing or not _is_latest(row):
        return Effect.NOTED
    participation = Participation.objects.get(pk=row.identity.participation_id)
    return Effect.FREED if return_unit(participation=participation, now=now) else Effect.NOTED


def _is_latest(row: PlatformSubmission) -> bool:
    """Return whether this submission can have the worker's unit in progress.

    It must be the latest with its claim, and the unit must have the same claim.
    """
    latest = row.identity.submissions.filter(claim=row.claim).order_by("-first_linked_at", "-pk").first()
    live = Assignment.objects.filter(participation=row.identity.participation_id, state__in=LIVE).first()
    is_other = live is not None and live.claim != row.claim
    return latest is not None and latest.pk == row.pk and not is_other

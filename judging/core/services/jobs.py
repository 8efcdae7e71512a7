"""Jobs: requested, claimed by one worker, kept alive by heartbeats, finished, or restarted if lost.

A request creates a row. After the commit, the row's id is sent to a worker; the app sets how it is sent. A
worker must claim the row before it starts, and includes the attempt in all later writes. So a worker whose
job was restarted because it was silent for too long learns that it must stop.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from judging.limits import MOST_ATTEMPTS, MOST_ATTEMPTS_TO_TELL
from judging.models import (
    LIVE_JOBS,
    TELLING_JOBS,
    Actor,
    Job,
    JobKind,
    JobState,
    Result,
    Study,
)

STALE: Final = timedelta(minutes=5)
"""A job without a heartbeat for this long counts as lost. No step between two heartbeats may take longer."""
BETWEEN_HEARTBEATS: Final = timedelta(seconds=1)
LONGEST_ERROR: Final = 500
_MAY_BEGIN: Final = Q(attempts__lt=MOST_ATTEMPTS) | Q(
    kind__in=TELLING_JOBS, attempts__lt=MOST_ATTEMPTS_TO_TELL
)

_carrier: Callable[..., None] | None = None
log = logging.getLogger("plumbline.job")


class JobLostError(Exception):
    """The worker was silent for too long and has lost the job to another worker."""


def request(
    *,
    kind: JobKind,
    now: datetime,
    study: Study | None = None,
    parameters: Mapping[str, object] | None = None,
    actor: Actor = None,
) -> Job:
    """Create a job. It is sent to a worker, or done at once, after the surrounding transaction is committed.

    There is only one live `expire` job at a time: if there is one already, return it.
    """
    try:
        with transaction.atomic():
            job = Job.objects.create(
                kind=kind.value,
                study=study,
                parameters=dict(parameters or {}),
                requested_by=actor,
                created_at=now,
                heartbeat_at=now,
            )
            transaction.on_commit(partial(send, job))
            log.info("job requested", extra={"job": job.pk, "kind": job.kind})
    except IntegrityError:
        waiting = Job.objects.filter(kind=JobKind.EXPIRE.value, state__in=LIVE_JOBS).first()
        if kind != JobKind.EXPIRE or waiting is None:
            raise
        return waiting
    return job


def carry_by(carrier: Callable[..., None]) -> None:
    """Set the function that sends a queued job to a worker, or does it at once without a broker."""
    global _carrier
    _carrier = carrier


def send(job: Job, **options: object) -> None:
    """Send a queued job to a worker; `options` are passed on to the function that sends it."""
    if _carrier is None:
        raise RuntimeError(
            "No function to send jobs is set. Set up Django, so that the app judging is ready."
        )
    _carrier(job, **options)


def claim(*, pk: int, now: datetime) -> Job | None:
    """Start a queued job and return it; None if it is finished or another worker has it."""
    is_claimed = Job.objects.filter(_MAY_BEGIN, pk=pk, state=JobState.QUEUED.value).update(
        state=JobState.RUNNING.value,
        attempts=F("attempts") + 1,
        started_at=now,
        heartbeat_at=now,
        progress_done=0,
        progress_total=0,
    )
    return Job.objects.select_related("study").get(pk=pk) if is_claimed else None


class Progress:
    """Save the progress of a claimed job as a heartbeat, at most once a second."""

    def __init__(self, job: Job, clock: Callable[[], datetime]) -> None:
        self.job = job
        self.clock = clock

    def __call__(self, done: int, total: int = 0) -> None:
        """Save the progress; `total` is 0 if unknown. Raise JobLostError if another worker has the job."""
        now = self.clock()
        if now - self.job.heartbeat_at < BETWEEN_HEARTBEATS and done != total:
            return
        self.job.heartbeat_at = now
        if total and done > total:
            total = 0  # the work has grown, so the total is unknown
        _write(self.job, heartbeat_at=now, progress_done=done, progress_total=total)


def finish(*, job: Job, result: Result, now: datetime) -> None:
    """Mark a claimed job as done. Raise JobLostError if another worker has it."""
    _write(job, state=JobState.DONE.value, result=result, finished_at=now, heartbeat_at=now)


def keep(*, job: Job, study: Study, result: Result) -> None:
    """Save the study that a claimed job creates, inside the transaction that creates it.

    So a restarted job finds its study. Raise JobLostError if another worker has the job, so that the study is
    rolled back.
    """
    _write(job, study=study, result=result)


def note(*, job: Job, result: Result, now: datetime) -> None:
    """Save what a claimed job has done so far, so that a restarted job continues from there.

    This is a heartbeat, too. Raise JobLostError if another worker has the job.
    """
    _write(job, result=result, heartbeat_at=now)


def put_off(*, job: Job, now: datetime) -> None:
    """Queue a claimed job again; `reap` sends it after `STALE`.

    Raise JobLostError if another worker has it.
    """
    _write(job, state=JobState.QUEUED.value, heartbeat_at=now)


def fail(*, job: Job, error: str, now: datetime, result: Result | None = None) -> None:
    """Mark a claimed job as failed, with the reason. Raise JobLostError if another worker has it.

    `result` holds details that do not fit into one sentence.
    """
    _write(
        job,
        state=JobState.FAILED.value,
        error=error if len(error) <= LONGEST_ERROR else f"{error[: LONGEST_ERROR - 1]}…",
        result=result or {},
        finished_at=now,
        heartbeat_at=now,
    )


def _write(job: Job, **values: object) -> None:
    own = Job.objects.filter(pk=job.pk, state=JobState.RUNNING.value, attempts=job.attempts)
    if not own.update(**values):
        raise JobLostError(f"This worker was silent for too long, so it has lost job {job}.")


def reap(*, now: datetime) -> int:
    """Restart the jobs without a heartbeat for `STALE`; return how many.

    A running job is queued again, or marked as failed if it has no attempts left. A queued job is sent again,
    because its message may be lost.
    """
    silent = Job.objects.filter(state__in=LIVE_JOBS, heartbeat_at__lte=now - STALE).order_by("pk")
    return sum(_restart(job, now) for job in list(silent))


@transaction.atomic
def _restart(job: Job, now: datetime) -> int:
    unchanged = Job.objects.filter(
        pk=job.pk, state=job.state, attempts=job.attempts, heartbeat_at=job.heartbeat_at
    )
    if job.state == JobState.RUNNING and job.attempts >= job.most_attempts:
        error = (
            f"The job was started {job.attempts} times, and its worker stopped each time."
            " Read the log of the workers, then request the job again."
        )
        return unchanged.update(state=JobState.FAILED.value, error=error, finished_at=now)
    restarted = unchanged.update(state=JobState.QUEUED.value, heartbeat_at=now)
    if restarted:
        transaction.on_commit(partial(send, job))
    return restarted

"""Request, claim, finish and restart jobs.

A request creates a row. After the commit, the function passed to `set_carrier` sends the row's id to a worker
process. The process claims the row, then writes heartbeats until the job is finished. If the heartbeats stop,
the job counts as lost and is restarted. Every write by a process checks the number of the attempt. If another
process has taken the job in the meantime, the first process gets a JobLostError and must stop.
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
    MESSAGE_JOBS,
    Actor,
    Job,
    JobKind,
    JobState,
    Result,
    Study,
)

STALE: Final = timedelta(minutes=5)
"""A job is lost after this time without a heartbeat, so no step between two heartbeats may take longer."""
BETWEEN_HEARTBEATS: Final = timedelta(seconds=1)
LONGEST_ERROR: Final = 500
_MAY_BEGIN: Final = Q(attempts__lt=MOST_ATTEMPTS) | Q(
    kind__in=MESSAGE_JOBS, attempts__lt=MOST_ATTEMPTS_TO_TELL
)

_carrier: Callable[..., None] | None = None
log = logging.getLogger("plumbline.job")


class JobLostError(Exception):
    """The worker process went too long without sending a heartbeat, so it has lost the job."""


def request(
    *,
    kind: JobKind,
    now: datetime,
    study: Study | None = None,
    parameters: Mapping[str, object] | None = None,
    actor: Actor = None,
) -> Job:
    """Create a job, and send it to a worker process once the surrounding transaction is committed.

    Only one `expire` job can be live at a time, so a request for a second one returns the live job.
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
        live_job = Job.objects.filter(kind=JobKind.EXPIRE.value, state__in=LIVE_JOBS).first()
        if kind != JobKind.EXPIRE or live_job is None:
            raise
        return live_job
    return job


def set_carrier(carrier: Callable[..., None]) -> None:
    """Set the function that sends queued jobs to worker processes, or runs the jobs if there is no broker."""
    global _carrier
    _carrier = carrier


def send(job: Job, **options: object) -> None:
    """Send a queued job to a worker process.

    The function that was passed to `set_carrier` does this. It gets the job and `options`.
    """
    if _carrier is None:
        raise RuntimeError(
            "No function to send jobs is set. Set up Django, so that the app judging is ready."
        )
    _carrier(job, **options)


def claim(*, pk: int, now: datetime) -> Job | None:
    """Mark a queued job as running and return it.

    Return None if the job is no longer queued or has no attempts left.
    """
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
    """A function that stores the progress of a claimed job, at most once a second.

    Each write also counts as a heartbeat.
    """

    def __init__(self, job: Job, clock: Callable[[], datetime]) -> None:
        self.job = job
        self.clock = clock

    def __call__(self, done: int, total: int = 0) -> None:
        """Store the progress. `total` is 0 if it is unknown.

        Raise JobLostError if another worker process has the job.
        """
        now = self.clock()
        if now - self.job.heartbeat_at < BETWEEN_HEARTBEATS and done != total:
            return
        self.job.heartbeat_at = now
        if total and done > total:
            total = 0  # there was more work than expected, so the total is unknown
        _write(self.job, heartbeat_at=now, progress_done=done, progress_total=total)


def finish(*, job: Job, result: Result, now: datetime) -> None:
    """Mark a claimed job as done. Raise JobLostError if another worker process has the job."""
    _write(job, state=JobState.DONE.value, result=result, finished_at=now, heartbeat_at=now)


def store_study(*, job: Job, study: Study, result: Result) -> None:
    """Store the study that a claimed job creates, so that the job still finds it after a restart.

    Call this in the transaction that creates the study. If another worker process has the job, this raises
    JobLostError, which rolls the transaction back.
    """
    _write(job, study=study, result=result)


def store_result(*, job: Job, result: Result, now: datetime) -> None:
    """Store what a claimed job has done so far, so that it can continue from there after a restart.

    This is also a heartbeat. Raise JobLostError if another worker process has the job.
    """
    _write(job, result=result, heartbeat_at=now)


def postpone(*, job: Job, now: datetime) -> None:
    """Queue a claimed job again. `reap` sends it to a worker process once the time `STALE` has passed.

    Raise JobLostError if another worker process has the job.
    """
    _write(job, state=JobState.QUEUED.value, heartbeat_at=now)


def fail(*, job: Job, error: str, now: datetime, result: Result | None = None) -> None:
    """Mark a claimed job as failed, with the reason. `result` holds details that do not fit into `error`.

    Raise JobLostError if another worker process has the job.
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
    claimed_job = Job.objects.filter(pk=job.pk, state=JobState.RUNNING.value, attempts=job.attempts)
    if not claimed_job.update(**values):
        raise JobLostError(f"This worker was silent for too long, so it has lost job {job}.")


def reap(*, now: datetime) -> int:
    """Restart the jobs that have had no heartbeat for the time `STALE`, and return their number.

    Queue a running job again, or mark it as failed if it has no attempts left. Send a queued job again,
    because its message may have been lost.
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

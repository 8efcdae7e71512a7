"""Jobs: asked for, begun by one worker, alive while it works, brought to an end, and picked up when lost.

A request makes a row and, once that is committed, has word of it carried to a worker: the app says
how when it starts. A worker must claim the row before it works, and names the
attempt in everything it writes after that: one that was taken for lost, and is not, is told to stop.
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
"""Without a sign of life for so long a job is taken for lost. No step between two signs may take longer."""
BETWEEN_SIGNS: Final = timedelta(seconds=1)
LONGEST_ERROR: Final = 500
_MAY_BEGIN: Final = Q(attempts__lt=MOST_ATTEMPTS) | Q(
    kind__in=TELLING_JOBS, attempts__lt=MOST_ATTEMPTS_TO_TELL
)

_carrier: Callable[..., None] | None = None
told = logging.getLogger("plumbline.job")


class JobLostError(Exception):
    """The job was taken away from its worker, who was silent for too long; somebody else has it now."""


def request(
    *,
    kind: JobKind,
    now: datetime,
    study: Study | None = None,
    parameters: Mapping[str, object] | None = None,
    actor: Actor = None,
) -> Job:
    """Ask for a job; it is sent to a worker, or done, as soon as the transaction around this is committed.

    `expire` is asked for once at a time: the one that is waiting or under way is returned.
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
            told.info("job asked for", extra={"job": job.pk, "kind": job.kind})
    except IntegrityError:
        waiting = Job.objects.filter(kind=JobKind.EXPIRE.value, state__in=LIVE_JOBS).first()
        if kind != JobKind.EXPIRE or waiting is None:
            raise
        return waiting
    return job


def carry_by(carrier: Callable[..., None]) -> None:
    """Name the function that tells a worker of a queued job, or does it at once where there is none."""
    global _carrier
    _carrier = carrier


def send(job: Job, **options: object) -> None:
    """Tell a worker of a queued job; `options` are for what carries the message."""
    if _carrier is None:
        raise RuntimeError("Nothing carries jobs yet: the app judging is not ready.")
    _carrier(job, **options)


def claim(*, pk: int, now: datetime) -> Job | None:
    """Begin a queued job; None where it is done, or somebody else is at it."""
    begun = Job.objects.filter(_MAY_BEGIN, pk=pk, state=JobState.QUEUED.value).update(
        state=JobState.RUNNING.value,
        attempts=F("attempts") + 1,
        started_at=now,
        heartbeat_at=now,
        progress_done=0,
        progress_total=0,
    )
    return Job.objects.select_related("study").get(pk=pk) if begun else None


class Progress:
    """Tells how far a claimed job has come, and that its worker lives: at most once a second."""

    def __init__(self, job: Job, clock: Callable[[], datetime]) -> None:
        self.job = job
        self.clock = clock

    def __call__(self, done: int, total: int = 0) -> None:
        """`total` 0 is not known. Raises JobLostError where the job is not this worker's any more."""
        now = self.clock()
        if now - self.job.heartbeat_at < BETWEEN_SIGNS and done != total:
            return
        self.job.heartbeat_at = now
        if total and done > total:
            total = 0  # there is more to do than there was at first: how much is not known
        _write(self.job, heartbeat_at=now, progress_done=done, progress_total=total)


def finish(*, job: Job, result: Result, now: datetime) -> None:
    """Bring a claimed job to its end. Raises JobLostError where it is not this worker's any more."""
    _write(job, state=JobState.DONE.value, result=result, finished_at=now, heartbeat_at=now)


def keep(*, job: Job, study: Study, result: Result) -> None:
    """Note the study that a claimed job has written, inside the transaction that writes it.

    Either both are there or neither: a job begun again finds its study. Raises JobLostError, for the study to
    be rolled back, where the job is not this worker's any more.
    """
    _write(job, study=study, result=result)


def note(*, job: Job, result: Result, now: datetime) -> None:
    """Write down what a claimed job has done so far: begun again, it goes on from there.

    A sign of life, too. Raises JobLostError where the job is not this worker's any more.
    """
    _write(job, result=result, heartbeat_at=now)


def put_off(*, job: Job, now: datetime) -> None:
    """Lay a claimed job aside; `reap` sends it again after `STALE`. Raises JobLostError as the others do."""
    _write(job, state=JobState.QUEUED.value, heartbeat_at=now)


def fail(*, job: Job, error: str, now: datetime, result: Result | None = None) -> None:
    """Give a claimed job up, saying why. Raises JobLostError where it is not this worker's any more.

    `result` is for what does not go into one sentence.
    """
    said = error if len(error) <= LONGEST_ERROR else f"{error[: LONGEST_ERROR - 1]}…"
    _write(
        job, state=JobState.FAILED.value, error=said, result=result or {}, finished_at=now, heartbeat_at=now
    )


def _write(job: Job, **values: object) -> None:
    mine = Job.objects.filter(pk=job.pk, state=JobState.RUNNING.value, attempts=job.attempts)
    if not mine.update(**values):
        raise JobLostError(f"{job} was taken from this worker, which had been silent for too long.")


def reap(*, now: datetime) -> int:
    """Pick up the jobs without a sign of life for `STALE`; returns how many.

    A running one is queued anew, or given up where it was begun as often as its kind may be; a queued one,
    whose message may be lost, is sent again.
    """
    silent = Job.objects.filter(state__in=LIVE_JOBS, heartbeat_at__lte=now - STALE).order_by("pk")
    return sum(_pick_up(job, now) for job in list(silent))


@transaction.atomic
def _pick_up(job: Job, now: datetime) -> int:
    as_seen = Job.objects.filter(
        pk=job.pk, state=job.state, attempts=job.attempts, heartbeat_at=job.heartbeat_at
    )
    if job.state == JobState.RUNNING and job.attempts >= job.most_attempts:
        why = f"Begun {job.attempts} times, its worker was lost again; see the workers' log, then ask anew."
        return as_seen.update(state=JobState.FAILED.value, error=why, finished_at=now)
    picked = as_seen.update(state=JobState.QUEUED.value, heartbeat_at=now)
    if picked:
        transaction.on_commit(partial(send, job))
    return picked

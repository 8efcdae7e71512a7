"""From a message to an end: claim the job, do its work, write down what came of it."""

import logging
from collections.abc import Callable
from time import perf_counter

from celery import current_task
from django.db import InterfaceError, OperationalError

from judging.core.clock import now
from judging.core.formats.writing import CannotWriteError
from judging.core.intake.faults import InputError, StudyRefusedError
from judging.core.observing import request_ids
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.models import Job, Result

Work = Callable[[Job, jobs.Progress], Result]
"""Does a claimed job and returns its result; tells its progress, which is also its sign of life."""

log = logging.getLogger(__name__)
told = logging.getLogger("plumbline.job")


class NotNowError(Exception):
    """What a job needs is away for the moment. Says what, in one sentence."""


def run(pk: int, work: Work) -> None:
    """Do a queued job; nothing happens where it is done already, or somebody else is at it.

    A fault that a person can mend is written to the row in its own words. What cannot be done now is put off,
    as often as its kind may be. Where the database itself fails, the job is left as it is, for `jobs.reap` to
    pick up.
    """
    job = jobs.claim(pk=pk, now=now())
    if job is None:
        return
    with request_ids.bound(job=job.pk, request_id=_asked_by()):
        begun = perf_counter()
        outcome = _run_or_lose(job, work)
        ms = round((perf_counter() - begun) * 1000)
        told.info("job", extra={"kind": job.kind, "outcome": outcome, "ms": ms})


def _asked_by() -> str:
    """The id of the request that asked for the job under way, if a worker was told it."""
    return str(getattr(current_task.request, "request_id", "") or "") if current_task else ""


def _run_or_lose(job: Job, work: Work) -> str:
    try:
        return _run(job, work)
    except jobs.JobLostError as lost:
        log.warning("%s", lost)
        return "lost"


def _run(job: Job, work: Work) -> str:
    """Returns what came of it, in a word."""
    try:
        result = work(job, jobs.Progress(job, clock=now))
    except StudyRefusedError as refusal:
        first, *more = refusal.lines
        error = f"{first} (and {len(more)} more)" if more else first
        jobs.fail(job=job, error=error, result={"faults": refusal.lines}, now=now())
        return "failed"
    except NotNowError as reason:
        log.warning("Job %s is put off: %s", job, reason)
        if job.attempts < job.most_attempts:
            jobs.put_off(job=job, now=now())
            return "put off"
        jobs.fail(job=job, error=str(reason), result=job.result, now=now())
        return "failed"
    except (InputError, RefusedError, CannotWriteError) as fault:
        jobs.fail(job=job, error=str(fault), now=now())
        return "failed"
    except (jobs.JobLostError, OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("Job %s failed", job)
        why = f"Something went wrong that should not have; the server's log says more under job {job.pk}."
        jobs.fail(job=job, error=why, now=now())
        return "failed"
    jobs.finish(job=job, result=result, now=now())
    return "done"

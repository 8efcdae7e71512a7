"""Run a job: claim it, do its work, and store the outcome."""

import logging
from collections.abc import Callable
from time import perf_counter

from celery import current_task
from django.db import InterfaceError, OperationalError

from judging.core.clock import now
from judging.core.faults import InputError, StudyRefusedError
from judging.core.formats.writing import CannotWriteError
from judging.core.observing import request_ids
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.core.stored_sentences import to_json
from judging.models import Job, Result

Work = Callable[[Job, jobs.Progress], Result]
"""A function that does a claimed job and returns the job's result.

It reports progress by calling its second argument. Each report is also a heartbeat.
"""

log = logging.getLogger(__name__)
job_log = logging.getLogger("plumbline.job")


class NotNowError(Exception):
    """A job cannot run now, because a service that it needs is unavailable. The message names the service."""


def run(pk: int, work: Work) -> None:
    """Run a queued job. Do nothing if the job is finished, or if another worker process has it.

    If the job fails and people can fix the cause, store the error message for them. If the job cannot run
    now, postpone it or, if it has no attempts left, mark it as failed. If the database fails, leave the job
    unchanged: `jobs.reap` restarts it.
    """
    job = jobs.claim(pk=pk, now=now())
    if job is None:
        return
    with request_ids.bound(job=job.pk, request_id=_request_id()):
        started = perf_counter()
        outcome = _run_or_lose(job, work)
        ms = round((perf_counter() - started) * 1000)
        job_log.info("job", extra={"kind": job.kind, "outcome": outcome, "ms": ms})


def _request_id() -> str:
    """Return the id of the request that created this job, or "" if the queue's message has no id."""
    return str(getattr(current_task.request, "request_id", "") or "") if current_task else ""


def _run_or_lose(job: Job, work: Work) -> str:
    try:
        return _run(job, work)
    except jobs.JobLostError as lost:
        log.warning("%s", lost)
        return "lost"


def _run(job: Job, work: Work) -> str:
    """Do the work, store its result or error, and return the outcome for the log."""
    try:
        result = work(job, jobs.Progress(job, clock=now))
    except StudyRefusedError as refusal:
        first, *more = refusal.lines
        error = f"{first} (and {len(more)} more)" if more else first
        jobs.fail(
            job=job,
            error=error,
            result={"faults": [to_json(sentence) for sentence in refusal.sentences]},
            now=now(),
        )
        return "failed"
    except NotNowError as reason:
        log.warning("Job %s is put off: %s", job, reason)
        if job.attempts < job.most_attempts:
            jobs.postpone(job=job, now=now())
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
        error = f"An unexpected error occurred. The server's log has the details, under job {job.pk}."
        jobs.fail(job=job, error=error, now=now())
        return "failed"
    jobs.finish(job=job, result=result, now=now())
    return "done"

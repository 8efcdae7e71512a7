"""From a message to an end: claim the job, do its work, write down what came of it."""

import logging
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError

from judging.exports.writing import CannotWriteError
from judging.intake import InputError, StudyRefusedError
from judging.models import Job
from judging.selectors.clock import now
from judging.services import jobs
from judging.services.errors import RefusedError

Work = Callable[[Job, jobs.Progress], dict[str, Any]]
"""Does a claimed job and returns its result; tells its progress, which is also its sign of life."""

log = logging.getLogger(__name__)


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
    try:
        _run(job, work)
    except jobs.JobLostError as lost:
        log.warning("%s", lost)


def _run(job: Job, work: Work) -> None:
    try:
        result = work(job, jobs.Progress(job, clock=now))
    except StudyRefusedError as refusal:
        first, *more = refusal.lines
        error = f"{first} (and {len(more)} more)" if more else first
        jobs.fail(job=job, error=error, result={"faults": refusal.lines}, now=now())
    except NotNowError as reason:
        log.warning("Job %s is put off: %s", job, reason)
        if job.attempts < job.most_attempts:
            jobs.put_off(job=job, now=now())
        else:
            jobs.fail(job=job, error=str(reason), result=job.result, now=now())
    except (InputError, RefusedError, CannotWriteError) as fault:
        jobs.fail(job=job, error=str(fault), now=now())
    except (jobs.JobLostError, OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("Job %s failed", job)
        why = f"Something went wrong that should not have; the server's log says more under job {job.pk}."
        jobs.fail(job=job, error=why, now=now())
    else:
        jobs.finish(job=job, result=result, now=now())

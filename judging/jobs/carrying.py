"""Send a job to a worker process through the broker in REDIS_URL.

Without a broker, commands run a job at once. Pages start another process, which runs all waiting jobs.
"""

import logging
import subprocess
import sys
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

from judging.core.clock import now
from judging.core.file_lock import LockedError, take_lock
from judging.core.observing import request_ids
from judging.core.services.jobs import reap
from judging.models import Job, JobKind, JobState

LONG: Final = (
    JobKind.EXPORT,
    JobKind.SCORE,
    JobKind.IMPORT,
    JobKind.REPORT,
    JobKind.REHEARSE,
    JobKind.ALLOCATE,
)
"""The kinds of jobs that can take minutes. Pages must not wait for them."""
log = logging.getLogger(__name__)


def carry(job: Job, **options: object) -> None:
    """Send the id of a queued job to a worker process. Without a broker, run the job now.

    Pass `options` on to Celery. If the broker does not answer, the job stays queued, and
    `judging.core.services.jobs.reap` sends it again.
    """
    from judging.jobs import TASKS

    task = TASKS[JobKind(job.kind)]
    if not settings.REDIS_URL:
        task.apply(args=(job.pk,))
        return
    app = import_string(settings.JOBS_APP)
    try:
        app.send_task(task.name, [job.pk], headers={"request_id": request_ids.current()}, **options)
    except OperationalError as error:
        log.warning("Job %s is waiting because the broker in REDIS_URL cannot be reached: %s", job, error)


def carry_beside(job: Job, **options: object) -> None:
    """Send a job as `carry` does. Without a broker, start a process for a long job, instead of waiting."""
    if settings.REDIS_URL or JobKind(job.kind) not in LONG:
        carry(job, **options)
        return
    try:
        take_lock(Path(settings.JOBS_LOCK)).close()
    except LockedError:
        return  # The process that holds the lock looks for waiting jobs again before it ends.
    command = [sys.executable, "-m", "django", "run_jobs", "--waiting"]
    subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL)  # noqa: S603 - fixed arguments


def run_waiting_jobs() -> int:
    """Run the queued long jobs, oldest first, until there are none, and return their number.

    Do nothing if another process is doing this already.
    """
    number = 0
    # The second check follows the release of the lock: `carry_beside` may have seen the lock in between.
    waiting = Job.objects.filter(kind__in=LONG, state=JobState.QUEUED.value).order_by("pk")
    while waiting.exists():
        try:
            lock = take_lock(Path(settings.JOBS_LOCK))
        except LockedError:
            break
        with lock:
            reap(now=now())
            while job := waiting.first():
                carry(job)
                number += 1
    return number

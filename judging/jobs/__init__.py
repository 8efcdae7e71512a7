"""The Celery tasks: one for each kind of job, and one that the scheduler starts every few minutes.

The module `registry` is imported only when a task runs. It imports polars, which starts threads, and threads
do not survive when Celery forks its worker processes.
"""

from celery import Task, shared_task

from judging.core.clock import now
from judging.core.services import jobs
from judging.models import JobKind
from judging.watching.services.requests import request_notices, request_statistics


def _task(kind: JobKind) -> "Task[[int], None]":
    @shared_task(name=f"judging.{kind}")
    def work(pk: int) -> None:
        from judging.core.jobs.running import run
        from judging.jobs.registry import WORK

        run(pk, WORK[kind])

    return work


TASKS = {kind: _task(kind) for kind in JobKind}


@shared_task(name="judging.tidy")
def tidy() -> None:
    """Restart lost jobs, then request the jobs that are due.

    Regular jobs plan the next units of adaptive studies, compute statistics and reports, send notices, and
    free expired units. Restart lost jobs first, because a lost `expire` job prevents a new one.
    """
    from judging.understanding.jobs.allocating import request_due_batches
    from judging.understanding.jobs.completing import request_due_reports

    jobs.reap(now=now())
    request_statistics(now=now())
    request_due_batches(now=now())
    request_due_reports(now=now())
    request_notices(now=now())
    jobs.request(kind=JobKind.EXPIRE, now=now())

"""The jobs as Celery knows them: a task for each kind, and the one that a scheduler rings every few minutes.

The registry is imported when a task runs: a worker's processes are forked, and threads that polars has
started before do not come along.
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
    """Pick up lost jobs, ask for statistics and final reports, tell what is due, look at what has lapsed.

    What is picked up may be an earlier such look.
    """
    from judging.understanding.jobs.completing import request_final_reports

    jobs.reap(now=now())
    request_statistics(now=now())
    request_final_reports(now=now())
    request_notices(now=now())
    jobs.request(kind=JobKind.EXPIRE, now=now())

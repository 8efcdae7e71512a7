"""The queues of tasks. Each kind of work has its own queue and never waits for long jobs of another kind.

`manage.py run_jobs --queues clock` starts a worker for one queue.
"""

from typing import Final

QUEUES: Final[dict[str, tuple[str, ...]]] = {
    "clock": ("tidy", "expire"),  # short and urgent: expired units wait for it
    "post": ("notice", "webhook"),  # depends on other servers, which can be slow
    "files": ("export",),
    "figures": ("score", "report", "figures"),
    "intake": ("import", "check", "rehearse"),
}
"""The tasks of each queue, without the prefix `judging.`. The task of a job is named after the job's kind."""

ROUTES: Final = {f"judging.{task}": {"queue": queue} for queue, tasks in QUEUES.items() for task in tasks}
"""The queues in the form of Celery's `task_routes`."""

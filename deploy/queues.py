"""The queues of tasks. Each kind of work has its own queue, so no task waits for long tasks of another kind.

`manage.py run_jobs --queues clock` starts a job process for one queue.
"""

from typing import Final

QUEUES: Final[dict[str, tuple[str, ...]]] = {
    "clock": ("tidy", "expire"),  # Short and urgent: these tasks free expired units.
    "post": ("notice", "webhook"),  # Other servers can be slow.
    "files": ("export",),
    "figures": ("score", "report", "figures", "allocate"),
    "intake": ("import", "check", "rehearse"),
}
"""The tasks of each queue, without the prefix `judging.`. The task of a job is named after the job's kind."""

ROUTES: Final = {f"judging.{task}": {"queue": queue} for queue, tasks in QUEUES.items() for task in tasks}
"""The queues in the form of Celery's `task_routes`."""

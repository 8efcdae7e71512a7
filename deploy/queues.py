"""Which queue carries which task: each kind of work has its own, and waits for no other's longest job.

`manage.py run_jobs --queues clock` starts a worker for one of them.
"""

from typing import Final

QUEUES: Final[dict[str, tuple[str, ...]]] = {
    "clock": ("tidy", "expire"),  # short, and late for nothing: a unit whose time has run out waits for it
    "post": ("notice", "webhook"),  # waits for servers elsewhere
    "files": ("export",),
    "figures": ("score", "report", "figures"),
    "intake": ("import", "check", "rehearse"),
}
"""Name of a queue → the tasks that go through it, `judging.` left out; of jobs these are their kinds."""

ROUTES: Final = {f"judging.{task}": {"queue": queue} for queue, tasks in QUEUES.items() for task in tasks}
"""The same, as Celery reads it."""

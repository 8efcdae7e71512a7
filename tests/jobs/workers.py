"""Real workers: `manage.py run_jobs` in processes of their own, on the test's database, broker and folder."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from judging.models import Job
from tests.support.processes import Program


def database_url() -> str:
    """The DATABASE_URL of the database that this test runs on."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host = quote(settings["HOST"], safe="")
    port = f":{settings['PORT']}" if settings["PORT"] else ""
    password = f":{quote(settings['PASSWORD'], safe='')}" if settings["PASSWORD"] else ""
    return f"postgres://{settings['USER']}{password}@{host}{port}/{settings['NAME']}"


class Worker(Program):
    """A worker and its child processes."""

    def __init__(self, folder: Path, redis_url: str, *options: str) -> None:
        log = folder / f"worker-{time.monotonic_ns()}.log"
        super().__init__(log, "run_jobs", *options, **_site(folder, redis_url))


@contextmanager
def working(folder: Path, redis_url: str, *options: str) -> Iterator[Worker]:
    """A worker inside this block."""
    worker = Worker(folder, redis_url, *options)
    try:
        yield worker
    finally:
        worker.stop()


def _site(folder: Path, redis_url: str) -> dict[str, str]:
    return {"DATABASE_URL": database_url(), "REDIS_URL": redis_url, "PLUMBLINE_VAR": str(folder)}


def is_over(job: Job) -> bool:
    """Whether the job, as its row stands now, is done or failed."""
    job.refresh_from_db()
    return not job.live

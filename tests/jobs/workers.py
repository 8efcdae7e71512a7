"""Real workers: `manage.py run_jobs` in processes of their own, on the test's database, broker and folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from judging.models import Job

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60


def database_url() -> str:
    """The DATABASE_URL of the database that this test runs on."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host = quote(settings["HOST"], safe="")
    port = f":{settings['PORT']}" if settings["PORT"] else ""
    password = f":{quote(settings['PASSWORD'], safe='')}" if settings["PASSWORD"] else ""
    return f"postgres://{settings['USER']}{password}@{host}{port}/{settings['NAME']}"


class Worker:
    """A worker and its child processes, in a process group of their own."""

    def __init__(self, folder: Path, redis_url: str, *options: str) -> None:
        self.log = folder / f"worker-{time.monotonic_ns()}.log"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "run_jobs", *options],
                cwd=ROOT,
                env=inherited
                | {"DATABASE_URL": database_url(), "REDIS_URL": redis_url, "PLUMBLINE_VAR": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        """`kill -9` to the worker and its children alike: nobody is left to say goodbye."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask the worker to end, as a supervisor does."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def wait_for(self, what: Callable[[], bool]) -> None:
        """Wait until something has come true; fails with the worker's log where it does not."""
        deadline = time.monotonic() + SECONDS
        while not what():
            ended = self.process.poll() is not None
            assert not ended, f"the worker ended: {self.log.read_text()}"
            assert time.monotonic() < deadline, f"nothing in {SECONDS} s: {self.log.read_text()}"
            time.sleep(0.02)


@contextmanager
def working(folder: Path, redis_url: str, *options: str) -> Iterator[Worker]:
    """A worker inside this block."""
    worker = Worker(folder, redis_url, *options)
    try:
        yield worker
    finally:
        worker.stop()


def is_over(job: Job) -> bool:
    """Whether the job, as its row stands now, is done or failed."""
    job.refresh_from_db()
    return not job.live

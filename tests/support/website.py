"""The site in processes of its own, as `manage.py serve` starts it, to be killed and started again.

with served(tmp_path, database_url(), redis_url) as site:
    through_http(site.address)
    site.kill()
    site.start()
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil

from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60


class Website:
    """The processes that serve one site, with what they printed in `log`."""

    def __init__(self, folder: Path, database_url: str, redis_url: str = "", **variables: str) -> None:
        self.log = folder / "web.log"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        self.variables = inherited | {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "PLUMBLINE_VAR": str(folder),
            **variables,
        }
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        """Serve, and wait until the site says that it is ready."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port), "--workers", "2"],
                cwd=ROOT,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.wait_until(200)

    def wait_until(self, status: int) -> None:
        """Wait until `/readyz` answers so."""
        deadline = time.monotonic() + SECONDS
        while self._readiness() != status:
            assert self.process.poll() is None, f"the site ended: {self.log.read_text()}"
            assert time.monotonic() < deadline, f"not {status} in {SECONDS} s: {self.log.read_text()}"
            time.sleep(0.05)

    def _readiness(self) -> int:
        try:
            return httpx.get(f"{self.address}/readyz", timeout=5).status_code
        except httpx.TransportError:
            return 0

    def workers(self) -> list[psutil.Process]:
        """The processes that answer, without the one that watches over them."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def kill(self) -> None:
        """`kill -9` to all of them at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask them to end, as a supervisor does."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def served(folder: Path, database_url: str, redis_url: str = "", **variables: str) -> Iterator[Website]:
    """A site that is up, with these settings, and is down after the block."""
    site = Website(folder, database_url, redis_url, **variables)
    site.start()
    try:
        yield site
    finally:
        site.stop()

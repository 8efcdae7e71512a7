"""The site in processes of its own, as `manage.py serve` starts it, to be killed and started again.

with served(tmp_path, database_url(), redis_url) as site:
    through_http(site.address)
    site.kill()
    site.start()
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psutil

from judging.core.observing.requests import FOLDER
from tests.support.http_client import get
from tests.support.ports import free_port
from tests.support.processes import Program


class Website:
    """The processes that serve one site, with what they printed in `log`.

    `host` is the name it is asked by, its address where that is left out; `more` are further variables.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str,
        redis_url: str = "",
        *,
        host: str = "",
        workers: int = 1,
        **more: str,
    ) -> None:
        self.log = folder / "web.log"
        self.port = free_port()
        self._shared = TemporaryDirectory(prefix="plumbline-", dir="/dev/shm")
        self.address = f"http://127.0.0.1:{self.port}"
        self._variables = {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "PLUMBLINE_VAR": str(folder),
            FOLDER: self._shared.name,
        } | more
        self._headers = {"Host": host} if host else {}
        self._processes = workers
        self._program: Program

    def start(self) -> None:
        """Serve, and wait until the site says that it is ready."""
        words = ("serve", "--port", str(self.port), "--workers", str(self._processes))
        self._program = Program(self.log, *words, **self._variables)
        self.wait_until(200)

    def wait_until(self, status: int) -> None:
        """Wait until `/readyz` answers so."""
        self.wait_for(lambda: self._readiness() == status)

    def wait_for(self, what: Callable[[], bool]) -> None:
        """Wait until this holds, while the site goes on."""
        self._program.wait_for(what)

    def _readiness(self) -> int:
        try:
            return get(f"{self.address}/readyz", headers=self._headers, timeout=5).status_code
        except httpx.TransportError:
            return 0

    def workers(self) -> list[psutil.Process]:
        """The processes that answer, without the one that watches over them."""
        return psutil.Process(self._program.process.pid).children(recursive=True)

    def kill(self) -> None:
        """`kill -9` to all of them at once."""
        self._program.kill()

    def stop(self) -> None:
        """Ask them to end, as a supervisor does."""
        self._program.stop()
        self._shared.cleanup()


@contextmanager
def served(
    folder: Path, database_url: str, redis_url: str = "", *, host: str = "", workers: int = 1, **more: str
) -> Iterator[Website]:
    """A site that is up, with these settings, and is down after the block."""
    site = Website(folder, database_url, redis_url, host=host, workers=workers, **more)
    site.start()
    try:
        yield site
    finally:
        site.stop()

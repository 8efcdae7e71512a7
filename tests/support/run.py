"""A folder that all processes of one run of the tests share, and a lock for what only one of them makes."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOM = 2 * 1024**3
FOLDER: pytest.StashKey[Path] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("run_folder")
    config.stash[FOLDER] = Path(given or tempfile.mkdtemp(prefix="plumbline-run-", dir=fast_disk()))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of pytest-xdist where the folder is."""
    node.workerinput["run_folder"] = str(node.config.stash[FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


def fast_disk() -> str:
    """Return a folder in memory where there is room for the databases of a run, else one on the disk."""
    in_memory = Path("/dev/shm")
    if in_memory.is_dir() and shutil.disk_usage(in_memory).free > ROOM:
        return str(in_memory)
    return tempfile.gettempdir()


@pytest.fixture(scope="session")
def run_folder(pytestconfig: pytest.Config) -> Path:
    """The folder that all processes of this run share; it is removed when the run ends."""
    return pytestconfig.stash[FOLDER]


@contextmanager
def sole(folder: Path, name: str) -> Iterator[bool]:
    """Hold the lock `name` of a run; gives True to the first process that has finished the block under it."""
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        finished = folder / f"{name}.finished"
        yield not finished.exists()
        finished.touch()

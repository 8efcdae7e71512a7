"""A warning before a process is forked whose child would wait forever for threads that it does not have."""

import os
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Final

THREAD: Final = "polars"
"""How the names of polars' threads begin."""
ADVICE: Final = (
    "this process has threads of polars, and a forked process can wait forever for them. Start processes "
    'with multiprocessing.get_context("spawn"), or fork before you read files'
)


@cache
def watch_forks() -> None:
    """Warn whenever the process forks from now on while threads of polars are running.

    The library calls this function with its first table, so that importing the library does nothing to
    servers that fork. Programs that are started by `subprocess` are not forks in this sense.
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_warn)


def _warn() -> None:
    if _has_threads():
        try:
            warnings.warn(ADVICE, RuntimeWarning, stacklevel=2)
        except RuntimeWarning as warning:  # an error in this place would be lost
            sys.stderr.write(f"RuntimeWarning: {warning}\n")


def _has_threads() -> bool:
    """Return whether polars has started its threads. Without `/proc`, as on macOS, assume that it has."""
    try:
        tasks = list(Path("/proc/self/task").iterdir())
    except OSError:
        return True
    return any(_name(task).startswith(THREAD) for task in tasks)


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text()
    except OSError:  # the thread has ended
        return ""

"""Locks that all processes on a machine share. A lock ends with its process, however the process ends."""

import fcntl
from pathlib import Path
from typing import IO


class LockedError(Exception):
    """Another process, or another request of this process, holds the lock."""


def take_lock(path: Path) -> IO[bytes]:
    """Return an open file that holds the lock until it is closed. Raise LockedError if the lock is held."""
    lock = path.open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise LockedError(path.name) from None
    return lock

"""Progress of a job whose own connection only reads, from one state of the database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Final

from django.db import connection, connections

from judging.core.services.jobs import Progress

_PAUSE: Final = 1.0
"""Seconds between two reports."""

Report = Callable[[int, int], None]
"""Called with the number of items done, and their total."""


@contextmanager
def progress_beside(progress: Progress) -> Iterator[Report]:
    """Yield a function that stores the progress on a connection of its own, at most once a second.

    Inside a transaction it uses the transaction's connection. It raises JobLostError as `progress` does.
    """
    if connection.in_atomic_block:
        yield progress
        return
    with ThreadPoolExecutor(1, "progress") as writer:
        last = monotonic()

        def report(done: int, total: int) -> None:
            nonlocal last
            if monotonic() - last >= _PAUSE:
                writer.submit(progress, done, total).result()
                last = monotonic()

        try:
            yield report
        finally:
            writer.submit(connections.close_all).result()

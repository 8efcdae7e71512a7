"""Store the progress of a job that reads a snapshot and therefore cannot write on its own connection."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Final

from django.db import connection, connections

from judging.core.services.jobs import Progress

_PAUSE: Final = 1.0
"""The minimum number of seconds between two reports."""

Report = Callable[[int, int], None]
"""A function that reports progress. It is called with the number of items done and the total number."""


@contextmanager
def progress_on_second_connection(progress: Progress) -> Iterator[Report]:
    """Yield a function that stores the progress through a separate connection, at most once a second.

    Inside a transaction, yield `progress` itself. Like `progress`, the yielded function raises JobLostError
    if another worker process has the job.
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

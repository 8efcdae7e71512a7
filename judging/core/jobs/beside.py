"""Telling how far a job has come while its own connection only reads, all from one state of the database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Final

from django.db import connection, connections

from judging.core.services.jobs import Progress

_PAUSE: Final = 1.0
"""Seconds between two words on how far it is."""

Told = Callable[[int, int], None]


@contextmanager
def told_beside(progress: Progress) -> Iterator[Told]:
    """Called with what is done and the total, it writes that on a connection of its own, once a second.

    Inside a transaction it writes on that one. Raises JobLostError as `progress` does.
    """
    if connection.in_atomic_block:
        yield progress
        return
    with ThreadPoolExecutor(1, "progress") as writer:
        last = monotonic()

        def told(done: int, total: int) -> None:
            nonlocal last
            if monotonic() - last >= _PAUSE:
                writer.submit(progress, done, total).result()
                last = monotonic()

        try:
            yield told
        finally:
            writer.submit(connections.close_all).result()

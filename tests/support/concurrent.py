"""Doing several things at the same moment, each on a database connection of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

Result = TypeVar("Result")


def at_once(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """Start all calls together, one thread each; their results in order, or the first error raised."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result:
        try:
            connections["default"].ensure_connection()
            barrier.wait(timeout=30)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, call) for call in calls]]

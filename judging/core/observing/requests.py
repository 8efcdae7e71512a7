"""The number and duration of requests, summed over all processes.

Each process stores its numbers in a file in the folder PROMETHEUS_MULTIPROC_DIR, which `manage.py serve`
sets. prometheus_client adds up the numbers in all files, including the files of processes that have ended.
"""

import os
from contextlib import suppress
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

_own = CollectorRegistry()
_seconds = Histogram(
    "plumbline_request_seconds",
    "Time from the arrival of a request to its response, by route and class of status.",
    ("route", "status"),
    buckets=BUCKETS,
    registry=_own,
)


@cache
def _of(route: str, status: str) -> Histogram:
    return _seconds.labels(route, status)


def observe(route: str, status: int, seconds: float) -> None:
    """Count a request, and record its duration.

    `route` is the name of a route, not a path, so that the metrics do not grow with every new path.
    """
    with suppress(OSError):  # a full disk must not prevent the response
        _of(route, f"{status // 100}xx").observe(seconds)


def registry() -> CollectorRegistry:
    """Return a registry that adds up the numbers of all processes.

    If PROMETHEUS_MULTIPROC_DIR is not set, return the registry of this process.
    """
    if not os.environ.get(FOLDER):
        return _own
    combined = CollectorRegistry()
    MultiProcessCollector(combined)  # type: ignore[no-untyped-call]  # it has no annotations
    return combined

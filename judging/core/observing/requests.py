"""The times that requests take, summed over all processes.

prometheus_client keeps the numbers of each process in files of PROMETHEUS_MULTIPROC_DIR, which
`manage.py serve` sets, and adds them up for a report. The numbers of a process that died are not lost.
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
    """Count a request. `route` is the name of an address, so that the number of labels is fixed."""
    with suppress(OSError):  # if the disk is full, the page matters more than its count
        _of(route, f"{status // 100}xx").observe(seconds)


def registry() -> CollectorRegistry:
    """Return the numbers of all processes; of this process only, if the folder is not set."""
    if not os.environ.get(FOLDER):
        return _own
    combined = CollectorRegistry()
    MultiProcessCollector(combined)  # type: ignore[no-untyped-call]  # it has no annotations
    return combined

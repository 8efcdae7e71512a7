"""How long requests take: summed over all processes, where `manage.py serve` has made the folder for that.

prometheus_client keeps these numbers in files of PROMETHEUS_MULTIPROC_DIR, one set a process, and adds them
up when they are asked for. A process that died has left its files: nothing is lost with it.
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
    "Time from a request's arrival in the program to its answer, by route and class of status.",
    ("route", "status"),
    buckets=BUCKETS,
    registry=_own,
)


@cache
def _of(route: str, status: str) -> Histogram:
    return _seconds.labels(route, status)


def observe(route: str, status: int, seconds: float) -> None:
    """Count one request. `route` is the name of an address, of which there is a fixed number."""
    with suppress(OSError):  # no room for one more file: a page is worth more than its count
        _of(route, f"{status // 100}xx").observe(seconds)


def registry() -> CollectorRegistry:
    """The numbers of all processes of the site; of this one alone where there is no folder for them."""
    if not os.environ.get(FOLDER):
        return _own
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]  # it has no annotations
    return together

"""What the site's processes hold and do while a load is on."""

from dataclasses import dataclass

from tests.load.stopwatch import FETCH, STORE, Stopwatch
from tests.support.website import Website

MEGABYTE = 2**20


@dataclass(frozen=True)
class Sample:
    """One moment: seconds since the start, memory of all processes that answer, and the time since before."""

    second: float
    megabytes: float
    judgments_per_second: float
    fetch_p50: float
    fetch_p95: float
    store_p50: float
    store_p95: float


def megabytes(web: Website) -> float:
    """Memory that is theirs alone, of all processes that answer (USS: what would be free without them)."""
    return sum(process.memory_full_info().uss for process in web.workers()) / MEGABYTE


def processor_seconds(web: Website) -> float:
    """What they have used of the processors."""
    return sum(sum(process.cpu_times()[:2]) for process in web.workers())


class Series:
    """Samples one after the other, each over the time since the last."""

    def __init__(self, web: Website) -> None:
        self.samples: list[Sample] = []
        self._web = web
        self._second = 0.0

    def take(self, second: float, watch: Stopwatch) -> Sample:
        """Look at `watch`, which the caller clears afterwards."""
        fetch, store = watch.times(FETCH), watch.times(STORE)
        sample = Sample(
            round(second),
            round(megabytes(self._web), 1),
            round(len(watch.stored_at) / (second - self._second), 1),
            fetch.p50,
            fetch.p95,
            store.p50,
            store.p95,
        )
        self._second = second
        self.samples.append(sample)
        return sample

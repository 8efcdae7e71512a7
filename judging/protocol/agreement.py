"""How far a worker's magnitudes follow those of the others on the documents that they share.

Each magnitude is taken as its logarithm less the mean logarithm of its unit: scales differ between workers,
and what a topic is worth between topics. The anchors, on which everybody must agree to pass, help to set that
mean and are then left out. Against each value stands the mean of what the others made of the same document.
The agreement is Pearson's correlation of these pairs, over all topics of a worker.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

LEAST_SHARED: Final = 10
"""Documents without which an agreement is not told."""


@dataclass(frozen=True)
class Centred:
    """A worker's value of a document, as said above; `counts` is unset where the unit is excluded."""

    worker: Hashable
    document: Hashable
    value: float
    counts: bool = True


def centre(magnitudes: Sequence[float]) -> list[float]:
    """Logarithms less their mean, in the same order."""
    logs = [log(magnitude) for magnitude in magnitudes]
    mean = sum(logs) / len(logs)
    return [value - mean for value in logs]


class Agreements:
    """Adds up topic after topic, so that no study is held in memory."""

    def __init__(self) -> None:
        self._sums: dict[Hashable, list[float]] = defaultdict(lambda: [0.0] * 6)

    def add_topic(self, values: Iterable[Centred]) -> None:
        """All values of one topic but the anchors'. Excluded ones are compared, but not compared with."""
        values = list(values)
        sums: dict[Hashable, float] = defaultdict(float)
        counts: dict[Hashable, int] = defaultdict(int)
        for one in values:
            if one.counts:
                sums[one.document] += one.value
                counts[one.document] += 1
        for one in values:
            others = counts[one.document] - one.counts
            if others:
                mean = (sums[one.document] - one.counts * one.value) / others
                self._add(one.worker, one.value, mean)

    def _add(self, worker: Hashable, x: float, y: float) -> None:
        for place, term in enumerate((1.0, x, y, x * x, y * y, x * y)):
            self._sums[worker][place] += term

    def shared(self, worker: Hashable) -> int:
        """Documents that the worker shares with somebody."""
        return int(self._sums[worker][0]) if worker in self._sums else 0

    def of(self, worker: Hashable) -> float | None:
        """The correlation; None for fewer than `LEAST_SHARED` documents, or where one side never varies."""
        if self.shared(worker) < LEAST_SHARED:
            return None
        n, x, y, xx, yy, xy = self._sums[worker]
        spread = (xx - x * x / n) * (yy - y * y / n)
        if xx - x * x / n < 1e-9 or yy - y * y / n < 1e-9:
            return None
        return max(-1.0, min(1.0, (xy - x * y / n) / sqrt(spread)))

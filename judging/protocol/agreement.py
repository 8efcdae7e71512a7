"""How much a worker agrees with the other workers on the documents that they share.

Workers use different scales, so each magnitude is replaced by its logarithm minus the mean logarithm of its
unit. Each rating is replaced by its difference from the mean rating of its unit. The anchors count towards
these means and are then left out, because all workers who pass the checks agree on them. Each value is paired
with the mean value of the other workers for the same document. The agreement is Pearson's correlation of
these pairs over all of a worker's topics.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

LEAST_SHARED: Final = 10
"""If a worker shares fewer documents than this, the agreement is None."""


@dataclass(frozen=True)
class Centred:
    """A worker's centred value for a document. `counts` is False if the unit is excluded."""

    worker: Hashable
    document: Hashable
    value: float
    counts: bool = True


def centre(numbers: Sequence[float], *, has_ratios: bool = True) -> list[float]:
    """Return the logarithm of each magnitude minus the mean of the logarithms, in the same order.

    For ratings and other numbers without ratios, return each number minus the mean of the numbers.
    """
    values = [log(number) for number in numbers] if has_ratios else list(numbers)
    mean = sum(values) / len(values)
    return [value - mean for value in values]


class Agreements:
    """Computes agreement from running sums, topic by topic, so that only one topic is in memory at a time."""

    def __init__(self) -> None:
        self._sums: dict[Hashable, list[float]] = defaultdict(lambda: [0.0] * 6)

    def add_topic(self, values: Iterable[Centred]) -> None:
        """Add all values of one topic, without the anchors.

        A value from an excluded unit counts only for the agreement of the worker who judged the unit. It is
        left out of the means with which other workers are compared.
        """
        values = list(values)
        sums: dict[Hashable, float] = defaultdict(float)
        counts: dict[Hashable, int] = defaultdict(int)
        for centred in values:
            if centred.counts:
                sums[centred.document] += centred.value
                counts[centred.document] += 1
        for centred in values:
            others = counts[centred.document] - centred.counts
            if others:
                mean = (sums[centred.document] - centred.counts * centred.value) / others
                self._add(centred.worker, centred.value, mean)

    def _add(self, worker: Hashable, x: float, y: float) -> None:
        for place, term in enumerate((1.0, x, y, x * x, y * y, x * y)):
            self._sums[worker][place] += term

    def shared(self, worker: Hashable) -> int:
        """Return how many of the worker's documents were also judged by another worker."""
        return int(self._sums[worker][0]) if worker in self._sums else 0

    def of(self, worker: Hashable) -> float | None:
        """Return the worker's agreement.

        Return None if the worker shares fewer than `LEAST_SHARED` documents. Also return None if all values
        of the worker are equal, or if all mean values of the other workers are equal.
        """
        if self.shared(worker) < LEAST_SHARED:
            return None
        n, x, y, xx, yy, xy = self._sums[worker]
        spread = (xx - x * x / n) * (yy - y * y / n)
        if xx - x * x / n < 1e-9 or yy - y * y / n < 1e-9:
            return None
        return max(-1.0, min(1.0, (xy - x * y / n) / sqrt(spread)))

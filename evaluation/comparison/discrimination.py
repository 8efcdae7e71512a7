"""Discrimination: how far apart two systems must be for other topics to rank them in the same order.

The method comes from Voorhees & Buckley (SIGIR 2002) and Sakai (AIRS 2005, section 4.2). In each of B trials,
it draws two disjoint subsets of c topics. It puts every pair of systems into a bin, by the difference between
their means on the first subset. A pair is a swap if the second subset ranks the two systems in a different
order. The swap rate of a bin is the share of its pairs that are swaps.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ..arrays import BoolArray, FloatArray, IntArray
from ..errors import InputError
from ..score_table import Scores
from ..showing import short_repr
from .results import noise
from .subsets import complete_values, means_over, pairs_of, refuse_numbers, shares

BINS: Final = 21
"""The number of bins. They are .01 wide and start at 0. The last bin holds all differences of .20 or more."""
_AT_ONCE: Final = 1_000
"""The number of trials in a batch.

With so few trials, counts fit into small integer types, which are fastest to add up.
"""


@short_repr
@dataclass(frozen=True, eq=False)
class Discrimination:
    """The result of `discrimination`.

    `comparisons` and `swaps` are the numbers of comparisons and swaps in each bin (measures, 21).
    `pair_swaps` is the number of swaps of each pair of systems (measures, pairs). `largest` is the largest
    mean of any system on any subset (measures,). `topics` is the number of topics. `size` is the number of
    topics in a subset, and `trials` is the number of times that two subsets were drawn.
    """

    measures: tuple[str, ...]
    comparisons: IntArray
    swaps: IntArray
    pair_swaps: IntArray
    largest: FloatArray
    topics: int
    size: int
    trials: int

    def swap_rate(self) -> FloatArray:
        """Return the swap rate of each bin (measures, 21), with NaN for an empty bin."""
        with np.errstate(invalid="ignore"):
            rate: FloatArray = self.swaps / np.where(self.comparisons > 0, self.comparisons, np.nan)
        return rate

    def absolute_difference(self, rate: float = 0.05) -> list[float | None]:
        """Return, for each measure, how far apart two means must be for a swap rate of at most `rate`.

        The difference is the lower edge of the bin after the last bin with a swap rate above `rate`. It is
        None if that bin is the last of all, or if all bins after it are empty. If no bin has a swap rate
        above `rate`, the difference is 0.
        """
        return [None if bin is None else bin / 100 for bin in self._first_bins(rate)]

    def relative_difference(self, rate: float = 0.05) -> list[float | None]:
        """Return each measure's absolute difference divided by `largest`, the measure's largest mean."""
        needed = zip(self.absolute_difference(rate), self.largest, strict=True)
        return [
            None if absolute is None or not largest else float(absolute / largest)
            for absolute, largest in needed
        ]

    def power(self, rate: float = 0.05) -> list[float | None]:
        """Return each measure's discriminative power.

        This is the share of comparisons whose difference is at least the measure's `absolute_difference` for
        this `rate`.
        """
        return [
            None if bin is None else float(counts[bin:].sum() / counts.sum())
            for bin, counts in zip(self._first_bins(rate), self.comparisons, strict=True)
        ]

    def _first_bins(self, rate: float) -> list[int | None]:
        bins: list[int | None] = []
        for rates in self.swap_rate():
            too_often = np.flatnonzero(rates > rate)  # false for an empty bin, which has NaN
            first = int(too_often[-1]) + 1 if too_often.size else 0
            bins.append(None if np.isnan(rates[first:]).all() else first)
        return bins


def discrimination(
    scores: Scores,
    *,
    rng: np.random.Generator,
    size: int | None = None,
    trials: int = 1000,
    strict: bool = True,
    replacement: bool = False,
) -> Discrimination:
    """Compare all pairs of systems on two disjoint subsets of `size` topics, `trials` times.

    By default, each subset has half of the topics. If the means of two systems differ by d on the first
    subset, the pair falls into bin ⌊100·|d|⌋. The last bin, 20, also holds all larger differences. A
    difference that is at most a rounding error below the edge of a bin is on this edge. The pair is a swap if
    its differences on the two subsets have opposite signs or, with `strict`, if exactly one of them is 0.
    With `replacement`, each subset is drawn separately and with replacement, so the subsets need not be
    disjoint. Topics with a missing value are left out. The same state of `rng` gives the same result. Raise
    `InputError` if there are fewer than two systems or topics, or if the subsets cannot be drawn.
    """
    values = complete_values(scores)
    topics = values.shape[-1]
    size = topics // 2 if size is None else size
    refuse_numbers(topics=topics, size=size, trials=trials, replacement=replacement)
    if 2 * size > topics and not replacement:
        raise InputError(
            "too-few-topics-for-two-subsets",
            "{topics} topics are too few for two disjoint subsets of {size} topics; choose a size of "
            "at most {most}, or draw with replacement",
            size=size,
            topics=topics,
            most=topics // 2,
        )
    chosen = (
        rng.integers(0, topics, size=(trials, 2 * size))
        if replacement
        else rng.random((trials, topics)).argsort(axis=1)
    )
    first, second = shares(chosen[:, :size], topics), shares(chosen[:, size : 2 * size], topics)
    # Measures do not run in threads: the steps are so short that threads would mostly wait for each other.
    counts = [_count_swaps(measure, first, second, strict) for measure in values]
    comparisons, swaps, pair_swaps, largest = (np.array(part) for part in zip(*counts, strict=True))
    return Discrimination(scores.measures, comparisons, swaps, pair_swaps, largest, topics, size, trials)


def _count_swaps(
    values: FloatArray, first_topics: FloatArray, second_topics: FloatArray, strict: bool
) -> tuple[IntArray, IntArray, IntArray, float]:
    """Count the comparisons by bin, the swaps by bin and the swaps by pair, and find the largest mean.

    `values` (systems, topics) has the values of one measure. The other two arrays have the weights of the
    topics in the two subsets.
    """
    (first, sizes), (second, other_sizes) = (
        means_over(values, first_topics),
        means_over(values, second_topics),
    )
    counts = np.zeros((2, BINS), dtype=np.int64)
    pair_swaps = np.zeros((len(first), len(first)), dtype=np.int64)
    for start in range(0, first.shape[1], _AT_ONCE):
        a, b, a_size, b_size = (
            part[:, start : start + _AT_ONCE] for part in (first, second, sizes, other_sizes)
        )
        for system in range(len(first) - 1):  # compare with all later systems
            d, e = a[system] - a[system + 1 :], b[system] - b[system + 1 :]
            error = noise(a_size[system], a_size[system + 1 :])
            other_error = noise(b_size[system], b_size[system + 1 :])
            swapped = _swapped(_signs(d, error), _signs(e, other_error), strict)
            pair_swaps[system, system + 1 :] += swapped.view(np.uint8).sum(axis=1, dtype=np.uint16)
            np.abs(d, out=d)
            d += error
            d *= 100
            bins = np.minimum(d, BINS - 1, out=d).astype(np.uint8)
            bins += np.multiply(swapped, BINS, dtype=np.uint8)
            counts += np.bincount(bins.ravel(), minlength=2 * BINS).reshape(2, BINS)
    largest = max(float(first.max()), float(second.max()))
    return counts.sum(axis=0), counts[1], pair_swaps[pairs_of(len(first))], largest


def _signs(difference: FloatArray, error: FloatArray) -> npt.NDArray[np.int8]:
    """Return 1, 0 or −1 for each difference: 0 for one that is no larger than the rounding error."""
    signs: npt.NDArray[np.int8] = (difference > error).astype(np.int8) - (difference < -error)
    return signs


def _swapped(first: npt.NDArray[np.int8], second: npt.NDArray[np.int8], strict: bool) -> BoolArray:
    """Return whether two signs are opposite or, with `strict`, whether exactly one is 0."""
    swapped: BoolArray = first != second if strict else first * second < 0
    return swapped

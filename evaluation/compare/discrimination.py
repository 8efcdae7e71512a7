"""Discrimination: how far apart two systems must be for other topics to put them in the same order.

[Voorhees & Buckley, SIGIR 2002; Sakai, AIRS 2005, section 4.2]. Two disjoint subsets of c topics are drawn
B times. Every pair of systems falls into a bin by the difference of its means on the first subset; it is a
swap where the second subset orders the pair otherwise. The swap rate of a bin is the share of swaps in it.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.compare.results import TIED_WITHIN
from evaluation.compare.subsets import complete_values, means_over, pairs_of, refuse_numbers, shares
from evaluation.errors import InputError
from evaluation.frames import Scores

BINS: Final = 21
"""Of the width .01, 0 first; the last holds all differences from .20 up."""
_AT_ONCE: Final = 1_000
"""Trials; the smallest types that hold their counts are the quickest to add up."""


@dataclass(frozen=True, eq=False)
class Discrimination:
    """Comparisons and swaps by bin (measures, 21), and swaps by pair of systems (measures, pairs).

    `largest` is the largest mean observed, of any system on any subset (measures,).
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
        """(measures, 21); NaN for an empty bin."""
        with np.errstate(invalid="ignore"):
            rate: FloatArray = self.swaps / np.where(self.comparisons > 0, self.comparisons, np.nan)
        return rate

    def absolute_difference(self, rate: float = 0.05) -> list[float | None]:
        """Per measure the lower edge of the first bin from which no bin swaps more often; None for none."""
        return [None if bin is None else bin / 100 for bin in self._first_bins(rate)]

    def relative_difference(self, rate: float = 0.05) -> list[float | None]:
        """The absolute difference needed, by the largest mean observed."""
        needed = zip(self.absolute_difference(rate), self.largest, strict=True)
        return [
            None if absolute is None or not largest else float(absolute / largest)
            for absolute, largest in needed
        ]

    def power(self, rate: float = 0.05) -> list[float | None]:
        """Discriminative power: the share of all comparisons whose difference is as large as needed."""
        return [
            None if bin is None else float(counts[bin:].sum() / counts.sum())
            for bin, counts in zip(self._first_bins(rate), self.comparisons, strict=True)
        ]

    def _first_bins(self, rate: float) -> list[int | None]:
        found: list[int | None] = []
        for rates in self.swap_rate():
            too_often = np.flatnonzero(rates > rate)  # an empty bin is not
            first = int(too_often[-1]) + 1 if too_often.size else 0
            found.append(None if np.isnan(rates[first:]).all() else first)
        return found


def discrimination(
    scores: Scores,
    *,
    rng: np.random.Generator,
    size: int | None = None,
    trials: int = 1000,
    strict: bool = True,
    replacement: bool = False,
) -> Discrimination:
    """Compare all pairs of systems on `trials` pairs of disjoint subsets of `size` topics, by default T/2.

    Bins are floor(100·|d| + 1e-9) of the first subset's d, 20 at most. A swap: the differences have opposite
    signs or, where `strict`, exactly one is 0. `replacement` draws both subsets on their own, each with
    replacement, and they need not be disjoint. Topics in which a cell has no value are left out. The same
    state of `rng` gives the same result. Raises `InputError` where two disjoint subsets cannot be drawn.
    """
    values = complete_values(scores)
    topics = values.shape[-1]
    size = topics // 2 if size is None else size
    refuse_numbers(topics=topics, size=size, trials=trials, replacement=replacement)
    if 2 * size > topics and not replacement:
        raise InputError(
            "too-few-topics-for-two-subsets",
            "two disjoint subsets of {size} cannot be drawn from the topics ({topics}); draw at most {most}, "
            "or draw with replacement",
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
    # One measure after the other: steps as short as these keep threads waiting for each other's turn.
    found = [_compared(means_over(one, first), means_over(one, second), strict) for one in values]
    comparisons, swaps, pair_swaps, largest = (np.array(part) for part in zip(*found, strict=True))
    return Discrimination(scores.measures, comparisons, swaps, pair_swaps, largest, topics, size, trials)


def _compared(one: FloatArray, other: FloatArray, strict: bool) -> tuple[IntArray, IntArray, IntArray, float]:
    """Comparisons and swaps by bin, swaps by pair, and the largest of the means (systems, trials)."""
    counts = np.zeros((2, BINS), dtype=np.int64)
    pair_swaps = np.zeros((len(one), len(one)), dtype=np.int64)
    for start in range(0, one.shape[1], _AT_ONCE):
        a, b = one[:, start : start + _AT_ONCE], other[:, start : start + _AT_ONCE]
        for system in range(len(one) - 1):  # against all that come after it
            d, e = a[system] - a[system + 1 :], b[system] - b[system + 1 :]
            swapped = _swapped(d, e, strict)
            pair_swaps[system, system + 1 :] += swapped.view(np.uint8).sum(axis=1, dtype=np.uint16)
            np.abs(d, out=d)
            d *= 100
            d += 1e-9
            bins = np.minimum(d, BINS - 1, out=d).astype(np.uint8)
            bins += np.multiply(swapped, BINS, dtype=np.uint8)
            counts += np.bincount(bins.ravel(), minlength=2 * BINS).reshape(2, BINS)
    largest = max(float(one.max()), float(other.max()))
    return counts.sum(axis=0), counts[1], pair_swaps[pairs_of(len(one))], largest


def _swapped(d: FloatArray, e: FloatArray, strict: bool) -> BoolArray:
    """Whether two differences have opposite signs or, where `strict`, at least different ones."""
    above, below = d > TIED_WITHIN, d < -TIED_WITHIN
    above_too, below_too = e > TIED_WITHIN, e < -TIED_WITHIN
    if strict:
        return np.not_equal(above, above_too) | np.not_equal(below, below_too)
    return (above & below_too) | (below & above_too)

"""Cumulated gains of ranked lists and of their ideal lists, with discounts and tied scores."""

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..options import checked
from ..showing import short_repr
from .hits import Hits, places_in
from .lists import RankedLists
from .parameters import Discount, Ideal, Ties
from .schemes import lacks_gain


@checked
def discounts(width: int, discount: Discount, base: float = 2) -> FloatArray:
    """Return the factors by which the gains at the ranks 1 … width are multiplied."""
    ranks = np.arange(1, width + 1, dtype=np.float64)
    if discount == "log2":
        return 1 / np.log2(ranks + 1)
    if discount == "jk":
        return math.log(base) / np.log(np.maximum(ranks, base))
    return 1 / ranks if discount == "rank" else np.ones(width)


@checked
@dataclass(frozen=True, eq=False)
class GainLists:
    """Ranked lists, and the parameters of a measure, such as its gain scheme and its discount."""

    lists: RankedLists
    gain: str
    ideal: Ideal
    rel: float | None
    discount: Discount = "none"
    base: float = 2
    ties: Ties = "broken"

    @property
    def hits(self) -> Hits:
        """The retrieved documents that have a gain or are relevant."""
        return self.lists.hits(self.gain, self.rel)

    @property
    def empty(self) -> BoolArray:
        """For each topic, whether none of its judged documents has a gain (topics,)."""
        return lacks_gain(self.lists.ideal(self.gain))

    def weights(self, width: int) -> FloatArray:
        """Return the factors by which the gains at the ranks 1 … width are multiplied."""
        return discounts(width, self.discount, self.base)

    def discounted(self, hits: Hits) -> FloatArray:
        """Return the gains of hits, discounted by their ranks."""
        return hits.gain * hits.spots.by_rank((self.discount, self.base), self.weights)

    def total(self, cutoff: int | None) -> FloatArray:
        """Return the sum of the discounted gains at the ranks 1 … k (runs, topics)."""
        if self.ties == "broken":
            hits = self.hits.within(cutoff)
            return hits.total(self.discounted(hits))
        tied = TiedGains.of(self.lists, self.lists.gains(self.gain), cutoff)
        end = tied.above + tied.size
        deepest = int(end.max(initial=1))
        within = deepest if cutoff is None else min(cutoff, deepest)
        sums = np.concatenate([[0.0], np.cumsum(self.weights(within))])
        weights = sums[np.minimum(end, within)] - sums[np.minimum(tied.above, within)]
        totals = np.bincount(tied.cell, tied.gain / tied.size * weights, self.lists.length.size)
        return totals.astype(np.float64).reshape(self.lists.shape)

    def own_curve(self, width: int) -> FloatArray:
        """Return the cumulated gains of the lists at the ranks 1 … width (runs, topics, width)."""
        if self.ties == "broken":
            gains = self.hits.along_ranks(self.hits.gain, width)
        else:
            gains = TiedGains.of(self.lists, self.lists.gains(self.gain), width).along_ranks(width)
        curve: FloatArray = np.cumsum(gains * self.weights(width), axis=-1)
        return curve

    def ideal_gains(self) -> FloatArray:
        """Return the gains of the ideal lists (1, topics, ranks).

        With `ideal="retrieved"`, the shape is (runs, topics, ranks).
        """
        if self.ideal == "recall_base":
            return self.lists.ideal(self.gain)[None]
        retrieved = self.hits.padded(self.hits.gain)
        return np.sort(retrieved, axis=-1)[..., ::-1] if retrieved.size else np.zeros((*self.lists.shape, 1))

    def ideal_curve(self) -> FloatArray:
        """Return the cumulated gains at each rank of the ideal lists, until the longest of them ends.

        The result is NaN, not infinite, where the gains are too large to add up. Division by an infinite sum
        would give 0.
        """
        gains = self.ideal_gains()
        curve: FloatArray = np.cumsum(gains * self.weights(gains.shape[-1]), axis=-1)
        return np.where(np.isinf(curve), np.nan, curve)


@short_repr
@dataclass(frozen=True, eq=False)
class TiedGains:
    """The retrieved documents that have a gain, and the size and place of each document's tie.

    A tie consists of all documents in a list that have the same score. For each document, `cell` is its list,
    and `gain` is its gain. `above` is the number of documents in the list with a better score. `size` is the
    number of documents in the document's tie, including the document itself.
    """

    lists: RankedLists
    cell: IntArray
    above: IntArray
    size: IntArray
    gain: FloatArray

    @classmethod
    def of(cls, lists: RankedLists, gains: FloatArray, cutoff: int | None) -> "TiedGains":
        """Return the documents that have a gain and whose tie begins within the cut-off.

        `gains` has a gain for each judged document.
        """
        if cutoff is None:
            entry = np.flatnonzero(gains[lists.document])
        else:
            reaches = lists.rank <= cutoff
            reaches[lists.score_ties.entry[lists.score_ties.above < cutoff]] = True
            entry = np.flatnonzero(reaches)
            entry = entry[gains[lists.document[entry]] != 0]
        above, size = lists.levels_of(entry)
        return cls(lists, lists.cell[entry], above, size, gains[lists.document[entry]])

    def along_ranks(self, width: int) -> FloatArray:
        """Return, at each rank, the mean gain of the tie at this rank (runs, topics, width).

        The result is 0 at ranks where no document has a gain.
        """
        tie = self.cell * (self.lists.length.max(initial=0) + 1) + self.above
        _, first, number = np.unique(tie, return_index=True, return_inverse=True)
        mean = np.bincount(number, self.gain, len(first)) / self.size[first]
        cell, above = self.cell[first], self.above[first]
        tie = np.repeat(np.arange(len(first)), np.clip(width - above, 0, self.size[first]))
        matrix = np.zeros((self.lists.length.size, width))
        matrix[cell[tie], above[tie] + places_in(tie)] = mean[tie]
        return matrix.reshape(*self.lists.shape, width)


def flat_after(curve: FloatArray, width: int) -> FloatArray:
    """Return the curve down to rank `width`, extended by its last value if it is shorter."""
    short = width - curve.shape[-1]
    return np.pad(curve, [(0, 0)] * (curve.ndim - 1) + [(0, short)], mode="edge") if short > 0 else curve


def share(own: FloatArray, ideal: FloatArray) -> FloatArray:
    """Return cumulated gains divided by ideal cumulated gains, or 0 where the ideal gain is 0."""
    return np.divide(own, ideal, out=np.zeros(np.broadcast_shapes(own.shape, ideal.shape)), where=ideal != 0)

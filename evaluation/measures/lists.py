"""Ranked lists as arrays, runs × topics × ranks: what every measure is computed from."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray

Array = TypeVar("Array", FloatArray, BoolArray)


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Judged values along the ranks of every run's list for every topic, and each topic's recall base.

    `gain` and `level` have the shape (runs, topics, ranks); `level` is the judged value that relevance is
    tested on, the very same array as `gain` unless relevance comes from judgments of its own. NaN marks an
    unjudged document and what lies past the end of a list. `length` (runs, topics) is L, the number of
    documents in each list. `base_gain` and `base_level` (topics, documents) hold the judged documents of
    each topic in no order, padded with NaN.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    gain: FloatArray
    level: FloatArray
    length: IntArray
    base_gain: FloatArray
    base_level: FloatArray

    def relevant(self, rel: float | None, width: int) -> BoolArray:
        """Whether the document at each of the first `width` ranks is relevant (runs, topics, width)."""
        return fit(is_relevant(self.level[..., :width], rel), width)

    def recall(self, rel: float | None) -> IntArray:
        """R, the number of relevant documents in each topic's recall base (topics,)."""
        count: IntArray = is_relevant(self.base_level, rel).sum(axis=-1)
        return count

    def cutoffs(self, cutoff: int | None, rel: float | None) -> IntArray:
        """k of each list (runs, topics): the cut-off, or max(L, R) where none is given; at least 1."""
        if cutoff is not None:
            return np.full(self.length.shape, cutoff)
        return np.maximum(1, np.maximum(self.length, self.recall(rel)))


def is_relevant(level: FloatArray, rel: float | None) -> BoolArray:
    """Relevance of judged values: > 0, or ≥ rel where it is given; unjudged (NaN) is never relevant."""
    return level > 0 if rel is None else level >= rel


def fit(ranks: Array, width: int) -> Array:
    """Cut the last axis to `width`, or pad it with 0."""
    short = width - ranks.shape[-1]
    if short <= 0:
        return ranks[..., :width]
    return np.pad(ranks, [(0, 0)] * (ranks.ndim - 1) + [(0, short)])


def at_rank(curve: FloatArray, cutoffs: IntArray) -> FloatArray:
    """The value of each curve (runs, topics, ranks) at its own cut-off (runs, topics), ranks from 1."""
    return np.take_along_axis(curve, cutoffs[..., None] - 1, axis=-1)[..., 0]

"""Compute one measure of the same lists for many sets of gains, as resampling does."""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np
import scipy

from ..arrays import FloatArray
from .cumulated import DISCOUNTS
from .gain_lists import discounts
from .lists import RankedLists
from .measure import Measure

Batch = Callable[[FloatArray], FloatArray]
"""A function from gains (sets of gains, documents) to values (sets of gains, runs, topics)."""

_OWN: Final = ("CG", "DCG")
_NORMALISED: Final = ("nCG", "nDCG", "SR", "MSR")


def values_of_many(measure: Measure, lists: RankedLists) -> Batch:
    """Return a function that computes the measure of the lists for many sets of gains at once.

    For each row of gains, the function's result equals `measure.values(lists.with_gains(row))`. With
    CG, DCG, nCG, nDCG, SR and MSR at a cut-off, the cumulated gain of a list can be linear in the gains (see
    `_is_linear`). If so, the function multiplies all rows at once by a sparse matrix with the discounts of
    the retrieved documents. Otherwise, and for all other measures, it computes the rows one by one.
    """
    if not _is_linear(measure, lists):
        return lambda gains: np.stack([measure.values(lists.with_gains(row)) for row in gains])
    cutoff = measure.last_rank or 1
    parameters = measure.parameters
    discount = parameters.get("discount", DISCOUNTS.get(measure.name, "none"))
    weights = discounts(cutoff, discount, parameters.get("base", 2))
    is_within = lists.rank <= cutoff
    places = lists.cell[is_within], lists.document[is_within]
    shape = (lists.shape[0] * lists.shape[1], len(lists.topic))
    product = scipy.sparse.csr_array((weights[lists.rank[is_within] - 1], places), shape=shape)

    def values(gains: FloatArray) -> FloatArray:
        sums = np.asarray(product @ gains.T)
        own: FloatArray = sums.T.reshape(len(gains), *lists.shape)
        ideal = _ideals(lists, gains, weights)[:, None, :]
        normalised = own / np.where(ideal > 0, ideal, np.nan)
        return normalised if measure.name in _NORMALISED else np.where(ideal > 0, own, np.nan)

    return values


def _is_linear(measure: Measure, lists: RankedLists) -> bool:
    plain = {"gain": "linear", "ideal": "recall_base", "adjust": "none", "ties": "broken"}
    return (
        measure.name in (*_OWN, *_NORMALISED)
        and measure.last_rank is not None
        and all(measure.parameters.get(name, value) == value for name, value in plain.items())
        and not np.isnan(lists.gain).any()
    )


def _ideals(lists: RankedLists, gains: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the total discounted gain of each topic's ideal list (sets of gains, topics)."""
    starts = np.searchsorted(lists.topic, np.arange(len(lists.topics) + 1))
    ideal = np.empty((len(gains), len(lists.topics)))
    for topic, (start, end) in enumerate(pairwise(starts)):
        width = min(len(weights), end - start)
        below = gains[:, start:end]
        best = below if width == end - start else -np.partition(-below, width - 1, axis=1)[:, :width]
        ideal[:, topic] = np.sort(best, axis=1)[:, ::-1] @ weights[:width]
    return ideal

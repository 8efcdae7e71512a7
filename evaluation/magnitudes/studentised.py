"""Compute the intervals of gains from the spread of all documents of a topic, by a bootstrap-t."""

from collections.abc import Callable
from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from ..frames import Judgments
from .groups import Groups
from .spread import shrunk, spread_of

Summarise = Callable[[FloatArray], FloatArray]
"""Takes log magnitudes (samples, n), sorted in each row, and returns the log gain of each sample."""
DRAWS_AT_ONCE: Final = 2**20
"""The number of residuals that are drawn together, so that a document with many judgments fits in memory."""


def bounds_by_topic(
    judgments: Judgments,
    normalized: FloatArray,
    gain: FloatArray,
    order: IntArray,
    rng: np.random.Generator,
    summarise: Summarise,
    shares: tuple[float, float],
    resamples: int,
) -> FloatArray | None:
    """Return the two ends of the interval of each gain, as an array (2, documents).

    Return None if no topic shows a spread, because it has too few judgments for its units. `order` has the
    documents' indexes in `Groups.by(judgments.table, KEYS)`, sorted by topic and document, and `gain` has
    their gains. `shares` has the probabilities of a gain below the lower and the upper end.

    `intervals` explains the method. A topic whose spread cannot be estimated takes its residuals from all
    other topics.
    """
    spread = spread_of(judgments, normalized)
    if not spread.correction.any():
        return None
    documents, topics, sizes = spread.documents, spread.topics, spread.documents.sizes
    logs = np.log(normalized)
    values = documents.sorted(logs)
    scale = np.sqrt(spread.correction[topics.member] * sizes / np.maximum(sizes - 1, 1))
    means = documents.sums(logs).means()
    residuals = (values.values - np.repeat(means, sizes)) * np.repeat(scale, sizes)
    deviation = np.sqrt(spread.variance * _of_offsets(judgments, documents, topics)[topics.member])
    topic = topics.member[order]
    is_known = (spread.correction > 0)[topic] & (sizes[order] > 1)
    bounds = np.empty((2, len(order)))
    _, first = np.unique(topic, return_index=True)
    for number in topic[np.sort(first)]:
        is_here = topic == number
        pool = order[is_known & is_here] if (is_known & is_here).any() else order[is_known]
        for size in np.unique(sizes[order[is_here]]):
            ratio = np.empty(resamples)
            at_once = max(1, DRAWS_AT_ONCE // int(size))
            for start in range(0, resamples, at_once):
                part = ratio[start : start + at_once]
                drawn = pool[rng.integers(len(pool), size=(len(part), size))]
                sample = np.sort(residuals[values.starts[drawn] + rng.integers(sizes[drawn])], axis=1)
                variance = shrunk(spread.of_topic[number], sample.var(axis=1) * size, float(size - 1))
                part[:] = summarise(sample) / np.sqrt(np.where(variance > 0, variance, 1.0))
            places = np.flatnonzero(is_here & (sizes[order] == size))
            # A gain that is too high by chance has a high ratio, so the upper quantile gives the lower end.
            away = np.outer(np.quantile(ratio, shares)[::-1], deviation[order[places]])
            bounds[:, places] = np.exp(np.clip(np.log(gain[places]) - away, -_LARGEST_LOG, _LARGEST_LOG))
    return bounds


def _of_offsets(judgments: Judgments, documents: Groups, topics: Groups) -> FloatArray:
    """Return, for each topic, by how much the errors of the offsets multiply the variance of a log gain."""
    units = Groups.by(judgments.table, judgments.unit_keys)
    of_row = documents.joined(topics)
    number = np.bincount(of_row.member[units.row], minlength=len(topics.sizes))
    in_unit = of_row.sizes / number
    is_linked = (number > 1) & (in_unit > 1)
    factor = np.divide(1 - 1 / topics.sizes, 1 - 1 / in_unit, out=np.ones(len(number)), where=is_linked)
    return np.maximum(factor, 1.0)


_LARGEST_LOG: Final = 690.0

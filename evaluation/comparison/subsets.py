"""Means of systems over random subsets of topics, for stability and discrimination."""

from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from ..score_table import Scores
from .results import refuse_few_systems

FEW_TOPICS: Final = 25
"""Results from fewer topics than this say little about other topics. The papers use 50 topics."""


def caution(topics: int, size: int) -> str:
    """Return a warning if there are too few topics for reliable rates, else ""."""
    if topics >= FEW_TOPICS:
        return ""
    return f"Only {topics} topics, {size} in each subset: too few to rely on these rates"


def complete_values(scores: Scores) -> FloatArray:
    """Return the values (measures, systems, topics) of the topics in which no value is missing.

    In these topics, every system has a value for every measure. Raise `InputError` for fewer than two systems
    or fewer than two such topics.
    """
    values = np.moveaxis(scores.values, -1, 0)
    has_all_values = ~np.isnan(values).any(axis=(0, 1))
    refuse_few_systems(len(scores.runs))
    if has_all_values.sum() < 2:
        raise InputError(
            "too-few-topics-without-gaps",
            "too few topics ({number}) have a value for every system and measure; give at least two "
            "such topics, or leave out systems or measures with missing values",
            number=int(has_all_values.sum()),
        )
    complete: FloatArray = np.ascontiguousarray(values[:, :, has_all_values])
    return complete


def shares(chosen: IntArray, topics: int) -> FloatArray:
    """Return the weight of each topic in the mean over each subset (subsets, topics).

    Each row of `chosen` has the topics of one subset. A topic can occur in it more than once.
    """
    rows, size = chosen.shape
    flat = (np.arange(rows)[:, None] * topics + chosen).ravel()
    counts: FloatArray = np.bincount(flat, minlength=rows * topics).reshape(rows, topics) / size
    return counts


def pairs_of(systems: int) -> tuple[IntArray, IntArray]:
    """Return two arrays with the first and the second system of every pair.

    In each pair, the first system has the lower index.
    """
    first, second = np.triu_indices(systems, k=1)
    return first.astype(np.int64), second.astype(np.int64)


def means_over(values: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each system's mean over each subset (systems, subsets), and the sizes of the means.

    `values` (systems, topics) has the values of one measure. `shares` (subsets, topics) has the weights of
    the topics. The size of a mean is the mean of the absolute values.
    """
    means: FloatArray = values @ shares.T
    return means, means if (values >= 0).all() else np.abs(values) @ shares.T


def refuse_numbers(*, topics: int, size: int, trials: int, replacement: bool = False) -> None:
    """Raise `InputError` unless `trials` subsets of `size` topics can be drawn from `topics` topics."""
    if size < 1 or (size > topics and not replacement):
        raise InputError(
            "subset-size-out-of-bounds",
            "subsets of {size} topics cannot be drawn from a total of {topics}; choose a size from 1 "
            "to {topics}",
            size=size,
            topics=topics,
        )
    if trials < 1:
        raise InputError("too-few-trials", "trials={trials} is too small; give 1 or more", trials=trials)

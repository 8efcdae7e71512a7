"""Means of systems over random subsets of topics, for stability and discrimination."""

from typing import Final

import numpy as np

from evaluation.arrays import FloatArray, IntArray
from evaluation.errors import InputError
from evaluation.frames import Scores

FEW_TOPICS: Final = 25
"""Results from fewer topics say little about other topics; the sources use 50 topics."""


def caution(topics: int, size: int) -> str:
    """Return a warning that there are too few topics for such rates, or "" if there are enough."""
    if topics >= FEW_TOPICS:
        return ""
    return f"Only {topics} topics, {size} in each subset: too few to rely on these rates"


def complete_values(scores: Scores) -> FloatArray:
    """Return measures × systems × topics, over the topics in which every system has a value of every measure.

    Raise `InputError` for fewer than two systems or two such topics.
    """
    values = np.moveaxis(scores.values, -1, 0)
    kept = ~np.isnan(values).any(axis=(0, 1))
    if len(scores.runs) < 2:
        raise InputError(
            "too-few-systems",
            "too few systems to compare ({number}); give two or more",
            number=len(scores.runs),
        )
    if kept.sum() < 2:
        raise InputError(
            "too-few-topics-without-gaps",
            "too few topics have a value for every system and measure ({number}); give two or more, or leave "
            "out systems or measures with gaps",
            number=int(kept.sum()),
        )
    complete: FloatArray = np.ascontiguousarray(values[:, :, kept])
    return complete


def shares(chosen: IntArray, topics: int) -> FloatArray:
    """Return the weight of each topic in the mean over each row of `chosen` topics: (rows, topics)."""
    rows, size = chosen.shape
    flat = (np.arange(rows)[:, None] * topics + chosen).ravel()
    counts: FloatArray = np.bincount(flat, minlength=rows * topics).reshape(rows, topics) / size
    return counts


def pairs_of(systems: int) -> tuple[IntArray, IntArray]:
    """Return the two systems of every pair, the earlier one first."""
    first, second = np.triu_indices(systems, k=1)
    return first.astype(np.int64), second.astype(np.int64)


def means_over(values: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the means by subset (systems, subsets) of a measure's values (systems, topics)."""
    means: FloatArray = values @ shares.T
    return means


def refuse_numbers(*, topics: int, size: int, trials: int, replacement: bool = False) -> None:
    """Raise `InputError` unless subsets of `size` topics can be drawn from `topics`, `trials` times."""
    if size < 1 or (size > topics and not replacement):
        raise InputError(
            "subset-size-out-of-bounds",
            "subsets of {size} topics cannot be drawn from {topics}; choose a size from 1 to {topics}",
            size=size,
            topics=topics,
        )
    if trials < 1:
        raise InputError("too-few-trials", "trials is {trials}; give 1 or more", trials=trials)

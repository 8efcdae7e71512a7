"""Inclusion probabilities: each document's chance to be in the sample, in proportion to its influence."""

from collections.abc import Sequence
from math import ceil
from typing import Final, Literal

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..errors import InputError, shown
from ..options import checked
from .linear import LinearMeasure
from .pool import Pool

LEAST: Final = 0.02
"""The default of the smallest inclusion probability."""
PairsOfRuns = Literal["all", "baseline"]
"""Which differences between runs matter: those of all pairs, or those from a baseline."""
_NEGLIGIBLE: Final = 1e-9
"""The least size of a document, as a share of the largest, so that any budget can be spent."""


def least_budget(documents: int, always: int = 0, *, least: float = LEAST) -> int:
    """Return the smallest budget with which each of `documents` documents can have the chance `least`.

    `always` of the documents are always in.
    """
    return always + ceil(least * (documents - always))


@checked
def influence(
    pool: Pool,
    measure: str = "DCG@10",
    pairs: PairsOfRuns = "all",
    *,
    baseline: str | None = None,
    among: Sequence[str] | None = None,
) -> FloatArray:
    """Return how much each document of the pool matters for the differences between the runs (documents,).

    This is the root mean square of the document's weights over the pairs of runs. The weight of a document
    for a pair is the weight of its rank in one run minus that in the other run. With `pairs="baseline"`, only
    the pairs with the run `baseline` count. `among` lists the runs that count, such as a top set; by default,
    all runs count. With a single run, the weights in this run take the place of the differences.

    Raise `InputError` for a measure that is not linear in gains, for an unknown run, and for
    `pairs="baseline"` without a baseline or a baseline with other pairs.
    """
    places = [place_of(pool.runs, run) for run in (pool.runs if among is None else among)]
    if (pairs == "baseline") != (baseline is not None):
        raise InputError(
            "baseline-and-pairs-differ",
            "a baseline belongs to the pairs “baseline”; give both or neither",
        )
    weights = pool.weights(LinearMeasure.of(measure))
    if baseline is not None:
        base = place_of(pool.runs, baseline)
        squares = (weights[[place for place in places if place != base]] - weights[base]) ** 2
        if len(squares):
            return _root_mean(squares.sum(axis=0), len(squares))
        return _root_mean(weights[base] ** 2, 1)
    chosen = weights[places]
    number = len(chosen)
    if number < 2:
        return _root_mean((chosen**2).sum(axis=0), 1)
    # Over all pairs, the sum of the squared differences is n·Σ w² − (Σ w)².
    squares = number * (chosen**2).sum(axis=0) - chosen.sum(axis=0) ** 2
    return _root_mean(squares, number * (number - 1) // 2)


def _root_mean(squares: FloatArray, number: int) -> FloatArray:
    """Return the root of sums of `number` squares divided by `number`. Rounding below 0 counts as 0."""
    root: FloatArray = np.sqrt(np.maximum(squares, 0) / number)
    return root


def place_of(runs: Sequence[str], run: str) -> int:
    """Return the index of a run among the runs. Raise `InputError` if it is not one of them."""
    if run not in runs:
        raise InputError(
            "run-not-in-pool",
            "the pool has no run {run}; choose from {known}",
            run=shown(run),
            known=", ".join(runs),
        )
    return list(runs).index(run)


def inclusion_probabilities(
    size: FloatArray, budget: int, *, least: float = LEAST, always: BoolArray | None = None
) -> FloatArray:
    """Return the chance of each document to be in the sample (documents,).

    The chances are in proportion to `size`, which is a document's influence times its expected spread. They
    are at least `least` and at most 1, and add up to `budget`. Documents in `always` have the chance 1, which
    counts towards the budget. If the budget is the number of documents or more, all chances are 1.

    Raise `InputError` for a `least` outside (0, 1], for a negative or infinite size, and for a budget that is
    too small to give every document the chance `least`.

    Example: the sizes 4, 2, 1 and 1 with a budget of 2 give the chances 1, .5, .25 and .25.
    """
    if not 0 < least <= 1:
        raise InputError(
            "least-inclusion-out-of-bounds",
            "the least inclusion probability {least} is out of bounds; give a number above 0 and up to 1",
            least=str(least),
        )
    if not (np.isfinite(size) & (size >= 0)).all():
        raise InputError(
            "size-out-of-bounds",
            "the expected influence of a document is negative or not finite; give numbers of 0 or more",
        )
    certain = np.zeros(len(size), dtype=np.bool_) if always is None else always
    result = np.ones(len(size))
    free = np.flatnonzero(~certain)
    remaining = budget - int(certain.sum())
    if remaining >= len(free):
        return result
    if remaining < least * len(free):
        raise InputError(
            "budget-too-small",
            "a budget of {budget} documents is too small for {documents} documents, {always} of which are "
            "always in; give at least {needed}, or a smaller least probability",
            budget=budget,
            documents=len(size),
            always=int(certain.sum()),
            needed=least_budget(len(size), int(certain.sum()), least=least),
        )
    result[free] = capped(size[free], remaining, least)
    return result


def capped(size: FloatArray, total: float, least: float) -> FloatArray:
    """Return clip(c·size, least, 1), where c makes the sum equal to `total`.

    The sum grows with c and is linear between the values of c at which a document reaches a bound. So c lies
    between two of these values, which a search finds, and follows from the documents between the bounds.
    """
    largest = size.max(initial=0.0)
    size = np.maximum(size / largest, _NEGLIGIBLE) if largest > 0 else np.ones_like(size)
    bends = np.sort(np.concatenate([least / size, 1 / size]))
    low, high = 0, len(bends) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if np.clip(bends[middle] * size, least, 1).sum() <= total:
            low = middle
        else:
            high = middle
    between = (bends[low] + bends[high]) / 2
    is_free = (between * size > least) & (between * size < 1)
    fixed = np.where(between * size >= 1, 1.0, least)[~is_free].sum()
    factor = (total - fixed) / size[is_free].sum() if is_free.any() else between
    return np.where(is_free, np.clip(factor * size, least, 1), np.where(between * size >= 1, 1.0, least))

"""The top set: the best system, and all systems that Wilcoxon's test cannot tell apart from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from ..arrays import FloatArray, mean_over_topics
from ..conventions import Correction
from ..errors import InputError
from ..options import checked
from ..showing import short_repr
from .holm import holm
from .results import Values, levels_of_rows, system_matrix
from .wilcoxon import wilcoxon

Overlap = Literal["jaccard", "min", "dice"]


@short_repr
@dataclass(frozen=True)
class TopSystem:
    """A system in the top set.

    `p` is the p-value of the comparison with the best system. The best system itself has a p-value of 1.
    """

    run: str
    mean: float
    p: float


@checked
def top_set(
    runs: Sequence[str], values: Values, *, alpha: float = 0.05, correction: Correction = "none"
) -> list[TopSystem]:
    """Return the best system, and all systems that Wilcoxon's test cannot tell apart from it [T15].

    The best system has the highest mean. The test compares every other system with it, and systems with p ≥
    `alpha` are in the top set. They are sorted by mean, best first.

    `values` is systems × topics, with NaN for no value. A system's mean is over the topics in which it has a
    value. Two systems are compared over the topics in which both have a value. Systems whose means differ
    only by rounding errors are ordered by name. As in the paper, p is not adjusted. With `correction="holm"`,
    it is adjusted for all pairs of systems, as by `compare`. Raise `InputError` if no system has a value, if
    `values` does not have one row for each run, and for an `alpha` outside (0, 1).
    """
    return top_set_by(
        runs, values, lambda best: p_against(system_matrix(values, runs), best, correction), alpha
    )


def top_set_by(
    runs: Sequence[str], values: Values, p_of: Callable[[int], FloatArray], alpha: float
) -> list[TopSystem]:
    """Return what `top_set` returns, with p-values that are at hand.

    `p_of` gets the index of the best system, and returns the p-values of the others against it (systems,).
    Raise `InputError` as `top_set` does.
    """
    if not 0 < alpha < 1:
        raise InputError(
            "alpha-out-of-bounds",
            "alpha {alpha} is out of bounds; give a number between 0 and 1",
            alpha=str(alpha),
        )
    matrix = system_matrix(values, runs)
    ranked = best_first(runs, matrix)
    if not ranked:
        raise no_values()
    best = ranked[0]
    systems = [TopSystem(runs[best], mean_over_topics(matrix[best]), 1.0)]
    p = p_of(best)
    for place in ranked[1:]:
        if p[place] >= alpha:
            systems.append(TopSystem(runs[place], mean_over_topics(matrix[place]), float(p[place])))
    return systems


def no_values() -> InputError:
    """Return the error for systems of which none has a value."""
    return InputError("no-values", "no system has a value in any topic; check that this is the right file")


@checked
def overlap(a: Sequence[str], b: Sequence[str], how: Overlap = "jaccard") -> float:
    """Return the overlap of two top sets, from 0 to 1.

    `how="jaccard"` divides the number of shared systems by the size of the union of both sets, and `"min"` by
    the size of the smaller set. `"dice"` is Dice's coefficient. Raise `InputError` for an empty set.

    Example: {a, b, c} and {b, c, d, e} share 2 systems. The three overlaps are 2/5 = .40, 2/3 = .67 and 2·2/7
    = .57.
    """
    first, second = set(a), set(b)
    if not first or not second:
        raise InputError("empty-top-set", "a top set is empty; give sets of one or more systems")
    shared = len(first & second)
    if how == "jaccard":
        return shared / len(first | second)
    return shared / min(len(first), len(second)) if how == "min" else 2 * shared / (len(first) + len(second))


def best_first(runs: Sequence[str], values: FloatArray) -> list[int]:
    """Return the indexes of the systems that have a value, by descending mean over topics.

    `values` is systems × topics. Systems whose means differ only by rounding errors are ordered by name.
    """
    known = [place for place in range(len(runs)) if not np.isnan(values[place]).all()]
    if not known:
        return []
    means, sizes = (
        np.array([[mean_over_topics(part[place]) for place in known]]) for part in (values, np.abs(values))
    )
    levels = dict(zip(known, levels_of_rows(means, sizes)[0], strict=True))
    return sorted(known, key=lambda place: (-levels[place], runs[place]))


@checked
def p_against(values: FloatArray, system: int, correction: Correction) -> FloatArray:
    """Return the p-value of Wilcoxon's test of each system against one of them (systems,).

    `values` is systems × topics. p is NaN for the system itself, and 1 for a system without a topic in which
    both have a value. With `"holm"`, p is adjusted for all pairs of systems, as by `compare`.
    """
    places = range(len(values))
    pairs = [*combinations(places, 2)] if correction == "holm" else [(system, place) for place in places]
    p = np.array([_p_of_pair(values[one], values[other]) for one, other in pairs if one != other])
    if correction == "holm":
        p = holm(p)
    others = ((one, other) for one, other in pairs if one != other)
    result = np.full(len(values), np.nan)
    for (one, other), of_pair in zip(others, np.nan_to_num(p, nan=1.0).tolist(), strict=True):
        if system in (one, other):
            result[other if one == system else one] = of_pair
    return result


def _p_of_pair(one: FloatArray, other: FloatArray) -> float:
    """Return the p-value of Wilcoxon's test, or NaN if no topic has values for both systems."""
    shared = ~(np.isnan(one) | np.isnan(other))
    return wilcoxon(one[shared], other[shared]).p if shared.any() else np.nan

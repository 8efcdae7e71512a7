"""The top set: the best system, and all systems that Wilcoxon's test cannot tell apart from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from ..arguments import refuse_alpha
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
    runs: Sequence[str],
    values: Values,
    *,
    alpha: float = 0.05,
    correction: Correction = "none",
    lowest: bool = False,
) -> list[TopSystem]:
    """Return the best system, and all systems that Wilcoxon's test cannot tell apart from it [T15].

    The best system has the highest mean or, with `lowest`, the lowest mean. The test compares every other
    system with it, and systems with p ≥ `alpha` are in the top set. They are sorted by mean, best first.

    `values` is systems × topics, with NaN for no value. A system's mean is over the topics in which it has a
    value. Two systems are compared over the topics in which both have a value. Systems whose means differ
    only by rounding errors are ordered by name. As in the paper, p is not adjusted. With `correction="holm"`,
    it is adjusted for all pairs of systems, as by `compare`. Raise `InputError` if no system has a value, if
    `values` does not have one row for each run, and for an `alpha` outside (0, 1).
    """
    refuse_alpha(alpha)
    matrix = system_matrix(values, runs)
    ranked = best_first(runs, matrix, lowest=lowest)
    if not ranked:
        raise no_values()
    best = ranked[0]
    systems = [TopSystem(runs[best], mean_over_topics(matrix[best]), 1.0)]
    p = p_against(matrix, best, correction)
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


def best_first(runs: Sequence[str], values: FloatArray, *, lowest: bool = False) -> list[int]:
    """Return the indexes of the systems that have a value, by descending mean over topics.

    `values` is systems × topics. With `lowest`, the order is ascending. Systems whose means differ only by
    rounding errors are ordered by name.
    """
    known = [place for place in range(len(runs)) if not np.isnan(values[place]).all()]
    if not known:
        return []
    means, sizes = (
        np.array([[mean_over_topics(part[place]) for place in known]]) for part in (values, np.abs(values))
    )
    levels = dict(zip(known, levels_of_rows(means, sizes)[0], strict=True))
    sign = 1 if lowest else -1
    return sorted(known, key=lambda place: (sign * levels[place], runs[place]))


@checked
def p_against(values: FloatArray, system: int, correction: Correction) -> FloatArray:
    """Return the p-value of Wilcoxon's test of each system against one of them (systems,).

    `values` is systems × topics. p is NaN for the system itself, and 1 for a system without a topic in which
    both have a value. With `"holm"`, p is adjusted for all pairs of systems, as by `compare`.
    """
    if correction == "holm":
        p: FloatArray = adjusted_for_pairs(p_of_all_pairs(values), correction)[system]
    else:
        p = np.array([_p_of_pair(values[system], other) for other in values])
    result: FloatArray = np.nan_to_num(p, nan=1.0)
    result[system] = np.nan
    return result


def p_of_all_pairs(values: FloatArray) -> FloatArray:
    """Return the p-value of Wilcoxon's test of each pair of systems (systems, systems).

    `values` is systems × topics. The matrix is symmetric. p is NaN for a system with itself, and for two
    systems without a topic in which both have a value.
    """
    p = np.full((len(values), len(values)), np.nan)
    for one, other in combinations(range(len(values)), 2):
        p[one, other] = p[other, one] = _p_of_pair(values[one], values[other])
    return p


@checked
def adjusted_for_pairs(p: FloatArray, correction: Correction) -> FloatArray:
    """Return the p-values of all pairs (systems, systems), adjusted for the number of pairs."""
    if correction == "none":
        return p
    above = np.triu_indices(len(p), k=1)
    adjusted = np.full(p.shape, np.nan)
    adjusted[above] = holm(p[above])
    adjusted.T[above] = adjusted[above]
    return adjusted


def _p_of_pair(one: FloatArray, other: FloatArray) -> float:
    """Return the p-value of Wilcoxon's test, or NaN if no topic has values for both systems."""
    shared = ~(np.isnan(one) | np.isnan(other))
    return wilcoxon(one[shared], other[shared]).p if shared.any() else np.nan

"""Rank correlation of two lists of system means.

Each correlation function takes two sequences of values. Each sequence has one value for each system, and both
list the systems in the same order. The function returns a float, or None if there are fewer than two systems
or if all systems are tied in one of the sequences. Two values are tied if they differ by at most 1e-12 of the
larger one. The functions raise `InputError` for sequences of different lengths and for values that are not
finite. C is the number of concordant pairs of systems, and D the number of discordant pairs.
"""

from typing import Literal

import numpy as np
import scipy

from ..arrays import FloatArray
from ..errors import InputError
from .results import Values, levels_of_rows, two_lists


def tau_a(x: Values, y: Values) -> float | None:
    """Return Kendall's τ_a: (C − D) / (number of pairs)."""
    if (levels := levels_of(x, y)) is None:
        return None
    a, b = levels
    pairs = len(a) * (len(a) - 1)
    agreement = np.sign(a[:, None] - a) * np.sign(b[:, None] - b)
    return float(agreement.sum() / pairs)


def tau_b(x: Values, y: Values) -> float | None:
    """Return Kendall's τ_b, corrected for ties: (C − D) / √((pairs untied in x)(pairs untied in y))."""
    return _kendall(x, y, "b")


def tau_c(x: Values, y: Values) -> float | None:
    """Return Stuart's τ_c for n systems: 2(C − D) / (n²(m − 1)/m).

    m is the number of distinct values in `x` or in `y`, whichever is smaller.

    Example: for x 1 1 2 2 3 and y 1 2 1 2 2, C = 3, D = 1 and m = 2, so τ_c = 2·2 / (25/2) = .32.
    """
    return _kendall(x, y, "c")


def rho(x: Values, y: Values) -> float | None:
    """Return Spearman's ρ: Pearson's correlation of the mid-ranks."""
    if (levels := levels_of(x, y)) is None:
        return None
    return float(scipy.stats.spearmanr(*levels).statistic)


def tau_ap(truth: Values, estimate: Values) -> float | None:
    """Return τ_AP [Yilmaz, Aslam & Robertson, SIGIR 2008]: 2/(n − 1) · Σ_{i=2..n} C(i)/(i − 1) − 1.

    The system with the highest value has rank 1. C(i) is the number of systems that are above the estimate's
    i-th system in both the estimate and the truth. If there are ties, the result is the mean over all orders
    of the tied systems.

    Example: the truth ABCD with the estimate BACD gives (0/1 + 2/2 + 3/3)·2/3 − 1 = .333. The estimate
    {AB}CD, in which A and B are tied, gives .667. This is the mean of .333 (for BACD) and 1 (for ABCD).
    """
    if (levels := levels_of(truth, estimate)) is None:
        return None
    true, guess = levels
    # [i, j] is 1 if j is above i, and ½ if they are tied.
    above_in_truth = (np.sign(true[None, :] - true[:, None]) + 1) / 2
    n, total = len(true), 0.0
    for i in range(n):
        higher = guess > guess[i]
        tied = guess == guess[i]
        tied[i] = False
        above, others = int(higher.sum()), int(tied.sum())
        certain = above_in_truth[i, higher].sum()
        possible = above_in_truth[i, tied].sum()
        # If j tied systems come before system i, above + j systems are before it. Each j is equally likely.
        before = [j for j in range(others + 1) if above + j > 0]
        terms = [(certain + (possible * j / others if others else 0)) / (above + j) for j in before]
        total += sum(terms) / (others + 1)
    return float(2 / (n - 1) * total - 1)


def _kendall(x: Values, y: Values, variant: Literal["b", "c"]) -> float | None:
    if (levels := levels_of(x, y)) is None:
        return None
    return float(scipy.stats.kendalltau(*levels, variant=variant).statistic)


def levels_of(x: Values, y: Values) -> tuple[FloatArray, FloatArray] | None:
    """Return both lists with levels in place of values, or None if all values of a list are tied.

    Tied values have the same level. Raise `InputError` for lists of different lengths, and for values that
    are not finite.
    """
    a, b = two_lists(x, y)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError(
            "mean-not-finite", "a value is infinite or NaN; leave out systems without a finite value"
        )
    levels = levels_of_rows(a[None])[0], levels_of_rows(b[None])[0]
    return levels if all(level.max(initial=0) > 0 for level in levels) else None

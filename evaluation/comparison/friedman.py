"""Friedman's test over systems × topics, and Conover's comparison of pairs of systems."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from ..arrays import FloatArray
from ..showing import short_repr
from .results import Values, complete, levels_of_rows, positive


@short_repr
@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """The result of Friedman's test.

    `rank_sums` has the rank sum of each of the k systems, and `n` is the number of topics. `t1` is a χ²
    statistic with k − 1 degrees of freedom. `t2` is an F statistic with k − 1 and (n − 1)(k − 1) degrees of
    freedom, and `p` is its p-value. `spread` is the standard error of the difference of two rank sums.
    """

    t1: float
    t2: float
    p: float
    rank_sums: FloatArray
    n: int
    spread: float

    @property
    def freedom(self) -> int:
        """The degrees of freedom of `t2`'s denominator, and of Conover's t."""
        return (self.n - 1) * (len(self.rank_sums) - 1)

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Return how far apart two rank sums must be for `conover` to give a p-value below `alpha`."""
        return float(scipy.stats.t.isf(alpha / 2, self.freedom) * self.spread)


def friedman(values: Values) -> FriedmanResult:
    """Test whether systems differ in their ranks within topics [Conover, 1999, section 5.8].

    `values` is a matrix of systems × topics. Topics in which a system has no value (NaN) are left out. System
    j has the mid-rank r[i, j] in topic i. R[j] is the sum of these mid-ranks, A = Σ r² and
    C = n·k·(k + 1)²/4. Then T1 = (k − 1)·(Σ R[j]² − n·C)/(A − C), which corrects for ties, and
    T2 = (n − 1)·T1/(n(k − 1) − T1). If all topics rank the systems in the same order, T2 is infinite, and p
    is the exact probability of this result: without ties, (1/k!)^(n − 1). For all other results, p comes from
    the F approximation, but is never lower than this probability. Raise `InputError` for an infinite value,
    for fewer than two systems, and for fewer than two topics in which all systems have a value.

    Example: the topics .24 .29 .34 / .30 .28 .40 / .10 .20 .15 / .50 .55 .60 have the rank sums 5, 8 and 11.
    T1 = 2·(210 − 192)/(56 − 48) = 4.5, T2 = 3·4.5/(8 − 4.5) = 3.857, p = .084, and the critical difference is
    t(.975; 6)·√(2(4·56 − 210)/6) = 5.29.
    """
    ranks = scipy.stats.rankdata(levels_of_rows(complete(values)), axis=1)
    (n, k), sums = ranks.shape, ranks.sum(axis=0)
    squares, centre = float((ranks**2).sum()), n * k * (k + 1) ** 2 / 4
    freedom = (n - 1) * (k - 1)
    spread = math.sqrt(max(0.0, 2 * (n * squares - float((sums**2).sum())) / freedom))
    if squares - centre <= 1e-9:  # all systems are tied in every topic
        return FriedmanResult(0.0, 0.0, 1.0, sums, n, spread)
    t1 = (k - 1) * (float((sums**2).sum()) - n * centre) / (squares - centre)
    least, rest = _least_p(ranks), n * (k - 1) - t1
    if rest <= 1e-9:
        return FriedmanResult(t1, math.inf, positive(least), sums, n, 0.0)
    t2 = (n - 1) * t1 / rest
    p = max(least, float(scipy.stats.f.sf(t2, k - 1, freedom)))
    return FriedmanResult(t1, t2, positive(p), sums, n, spread)


def _least_p(ranks: FloatArray) -> float:
    """Return the smallest p-value that is possible with the ties in `ranks` (topics, systems).

    This is the probability that all topics rank the systems in the same order by chance. A topic has k!/Π t!
    possible orders, where t are the sizes of the topic's ties. The topic with the most possible orders can
    have any of these orders. Each other topic must then have the one order that agrees with that topic's
    order.
    """
    k = ranks.shape[1]
    ties = (np.unique(row, return_counts=True)[1] for row in ranks)
    log_orders = np.array(
        [math.lgamma(k + 1) - sum(math.lgamma(size + 1) for size in sizes) for sizes in ties]
    )
    return math.exp(log_orders.max() - log_orders.sum())


def conover(result: FriedmanResult, *, alpha: float = 0.05, protected: bool = True) -> FloatArray | None:
    """Return a matrix (systems, systems) with the p-value of every pair of systems, after Friedman's test.

    For the rank sums R, t = |R[i] − R[j]| / `spread` has (n − 1)(k − 1) degrees of freedom [Conover, 1999,
    section 5.8]. [JK02] uses this comparison. With `protected`, return None if Friedman's test has p ≥
    `alpha`. In that case, no pairs are compared.
    """
    if protected and result.p >= alpha:
        return None
    apart = np.abs(result.rank_sums[:, None] - result.rank_sums[None, :])
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(apart == 0, 0.0, apart / result.spread)
    p: FloatArray = np.vectorize(positive)(2 * scipy.stats.t.sf(t, result.freedom))
    return p

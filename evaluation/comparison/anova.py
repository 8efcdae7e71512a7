"""Two-way analysis of variance with topics as blocks, and Tukey's comparison of pairs of systems."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from ..arrays import FloatArray
from ..showing import short_repr
from .results import TIED_WITHIN, Values, complete, positive, without_scale


@short_repr
@dataclass(frozen=True, eq=False)
class AnovaResult:
    """The result of an analysis of variance: the F value of the systems, and its p-value.

    `means` has the mean of each of the k systems, and `n` is the number of topics. F has k − 1 and `freedom`
    = (n − 1)(k − 1) degrees of freedom. `deviation` is the root mean square of the differences that neither
    systems nor topics explain. Means whose difference is at most `noise` differ only by rounding errors.
    """

    f: float
    p: float
    means: FloatArray
    n: int
    deviation: float
    noise: float

    @property
    def error(self) -> float:
        """The mean square of the error: the square of `deviation`."""
        return self.deviation**2

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the error: (n − 1)(k − 1)."""
        return (self.n - 1) * (len(self.means) - 1)


def anova(values: Values) -> AnovaResult:
    """Test whether system means differ, in the additive two-way layout [Tague-Sutcliffe & Blustein, TREC-3].

    `values` is a matrix of systems × topics. Topics in which a system has no value (NaN) are left out. If the
    error is 0, F is infinite, or 0 if all system means are equal. Raise `InputError` for an infinite value,
    for fewer than two systems, and for fewer than two topics in which all systems have a value.

    Example: the topics .24 .29 .34 / .30 .28 .40 / .10 .20 .15 / .50 .55 .60 have the system means .285, .33
    and .3725. The systems' sum of squares is 4·(.0442² + .0008² + .0433²) = .01532 with 2 degrees of freedom.
    The error's sum of squares is .00795 with 6 degrees of freedom. So F = .00766/.00133 = 5.78 and p = .040.
    """
    topics, unit = without_scale(complete(values))
    n, k = topics.shape
    means = topics.mean(axis=0)
    total = topics.mean()
    rest = topics - means - topics.mean(axis=1, keepdims=True) + total
    systems = n * float(((means - total) ** 2).sum()) / (k - 1)
    error = float((rest**2).sum()) / ((n - 1) * (k - 1))
    noise = TIED_WITHIN * float(np.abs(topics).max())
    if error <= noise**2:  # the error consists only of rounding errors
        differ = systems > noise**2
        f, p, error = math.inf if differ else 0.0, float(not differ), 0.0
    else:
        f = systems / error
        p = scipy.stats.f.sf(f, k - 1, (n - 1) * (k - 1))
    return AnovaResult(f, positive(p), means * unit, n, math.sqrt(error) * unit, noise * unit)


def tukey(result: AnovaResult) -> FloatArray:
    """Return a matrix (systems, systems) with the p-value of Tukey's HSD test for every pair of systems.

    `result` comes from `anova`. q = |mean[i] − mean[j]| / √(error/n) follows the distribution of the
    studentised range of k means, with the degrees of freedom of the error. So each p already takes the number
    of pairs into account.
    """
    k = len(result.means)
    first, second = np.triu_indices(k, 1)
    apart = np.abs(result.means[first] - result.means[second])
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(apart <= result.noise, 0.0, apart / result.deviation * math.sqrt(result.n))
    p = np.ones((k, k))
    p[first, second] = p[second, first] = [
        positive(value) for value in scipy.stats.studentized_range.sf(q, k, result.freedom)
    ]
    return p


def honest_difference(result: AnovaResult, alpha: float) -> float:
    """Return Tukey's honestly significant difference: means that differ by more have p < `alpha` in `tukey`.

    It is q · √(error/n), where q is the quantile of the studentised range of k means. Computing p for every
    pair takes much longer, because each p is a double integral.
    """
    q = _range_quantile(alpha, len(result.means), result.freedom)
    return max(result.noise, q * result.deviation / math.sqrt(result.n))


@lru_cache(maxsize=64)
def _range_quantile(alpha: float, k: int, freedom: int) -> float:
    return float(scipy.stats.studentized_range.isf(alpha, k, freedom))

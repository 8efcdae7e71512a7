"""Effect sizes: how far apart two systems are, on a scale that does not depend on the number of topics.

An effect size has the sign of the difference, so it is positive if the first system is better. Zero means no
effect. The functions that compare two systems take the same lists as the tests: one value for each topic,
with NaN for no value. They raise `InputError` in the same cases as `differences`.
"""

import math

import numpy as np
import scipy

from ..arrays import FloatArray
from .anova import AnovaResult
from .results import Values, differences, without_scale


def cohen_d(x: Values, y: Values) -> float | None:
    """Return the mean difference divided by the standard deviation of the differences [Cohen 1988, d_z].

    This equals t/√n of the paired t test [Sakai, SIGIR Forum 48(1), 2014]. If all differences are the same
    but not zero, the result is infinite. Return None for a single topic.

    Example: the differences 1, 2, 3 have a mean of 2 and a standard deviation of 1, so d = 2.
    """
    apart = differences(x, y)
    if apart.size < 2:
        return None
    if (apart == apart[0]).all():
        return math.copysign(math.inf, apart[0]) if apart[0] else 0.0
    scaled, _ = without_scale(apart)
    return float(scaled.mean() / scaled.std(ddof=1))


def rank_biserial(x: Values, y: Values) -> float:
    """Return (R⁺ − R⁻)/(R⁺ + R⁻), the matched-pairs rank-biserial correlation [Kerby 2014].

    R⁺ and R⁻ are the sums of the mid-ranks in Wilcoxon's test, for positive and for negative differences.
    Differences of zero are dropped. If there are no other differences, the result is 0.

    Example: the differences 0, .1, .1, .2, .3, −.1, .25, .05 have R⁻ = 3 and R⁺ = 25, so the result is 22/28
    = .79.
    """
    apart = differences(x, y)
    apart = apart[apart != 0]
    if not apart.size:
        return 0.0
    ranks: FloatArray = scipy.stats.rankdata(np.abs(apart))
    return float((np.sign(apart) * ranks).sum() / ranks.sum())


def cohen_g(x: Values, y: Values) -> float:
    """Return the share of topics with x > y, minus ½ [Cohen 1988, chapter 5].

    Differences of zero are dropped. If there are no other differences, the result is 0. The result is always
    between −½ and ½.

    Example: of the differences 0, .1, .1, .2, .3, −.1, .25, .05, one is zero, and 6 of the other 7 are
    positive. So g = 6/7 − 1/2 = .36.
    """
    apart = differences(x, y)
    apart = apart[apart != 0]
    return float((apart > 0).mean() - 0.5) if apart.size else 0.0


def standardised_differences(result: AnovaResult) -> FloatArray:
    """Return a matrix (systems, systems) of differences between means, divided by √error [Sakai 2014].

    The error is the `error` of `result`. Element [i, j] is positive if system i has the higher mean. If the
    error is 0, the differences are infinite. Means that differ only by rounding errors have a
    difference of 0.

    Example: means of .285 and .3725 with an error of .00133 give ∓.0875/.0365 = ∓2.40.
    """
    apart = result.means[:, None] - result.means[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled: FloatArray = np.where(np.abs(apart) <= result.noise, 0.0, apart / result.deviation)
    return scaled

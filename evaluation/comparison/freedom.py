"""Degrees of freedom of estimated variances, and the bounds of intervals that use them."""

from typing import Final

import numpy as np
import scipy

from ..arrays import FloatArray

_SYMMETRIC: Final = 1e-9
"""An estimate with a smaller skewness counts as symmetric."""


def effective_freedom(variances: FloatArray) -> float:
    """Return the degrees of freedom of the sum of the topics' estimated variances.

    The formula is Satterthwaite's: 2(Σ v)²/Σ Var(v) [Biometrics Bulletin 1946]. Var(v), the variance of a
    single estimate, is not known. The variance of v over the topics is used instead. This variance is larger,
    because the topics differ. So the result is too small rather than too large. It is infinite for one topic,
    and if all estimates are equal.
    """
    if len(variances) < 2 or (spread := float(variances.var(ddof=1))) == 0:
        return np.inf
    return float(2 * variances.sum() ** 2 / (len(variances) * spread))


def student_quantile(level: float, freedom: float) -> float:
    """Return the quantile (1 + `level`)/2 of Student's distribution with `freedom` degrees of freedom.

    If `freedom` is infinite, Student's distribution is the normal distribution.
    """
    return float(scipy.stats.t.ppf((1 + level) / 2, freedom))


def skewed_bounds(mean: float, error: float, quantile: float, skewness: float) -> tuple[float, float]:
    """Return the bounds of an interval that holds for a skewed estimate, too.

    The interval contains Student's, `mean` ± `quantile` · `error`, and the one that Hall's transformation
    corrects for `skewness` [Hall, "On the removal of skewness by transformation", JRSS B 1992]. `skewness` is
    the third central moment of the estimate, divided by the cube of its standard error.
    """
    low, high = (mean - _unskewed(sign * quantile, skewness) * error for sign in (1, -1))
    return min(low, mean - quantile * error), max(high, mean + quantile * error)


def _unskewed(quantile: float, skewness: float) -> float:
    """Return the t with t + s·t²/3 + s²·t³/27 + s/6 = `quantile`, where s is the skewness."""
    if abs(skewness) < _SYMMETRIC:
        return quantile
    return float(3 / skewness * (np.cbrt(1 + skewness * (quantile - skewness / 6)) - 1))

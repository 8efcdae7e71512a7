"""Degrees of freedom of estimated variances, and the quantiles that intervals with them use."""

import numpy as np
import scipy

from ..arrays import FloatArray


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

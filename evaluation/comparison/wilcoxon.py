"""Wilcoxon's signed-rank test of paired values."""

from typing import Final

import numpy as np
import scipy

from ..arrays import FloatArray
from .results import TestResult, Values, differences, positive

MOST_EXACT: Final = 25
"""Up to this number of differences, p is exact. Above it, the normal approximation is close enough."""


def wilcoxon(x: Values, y: Values) -> TestResult:
    """Test the differences by Wilcoxon's two-sided signed-rank test.

    The statistic is the smaller of two sums of mid-ranks: the sum for positive differences and the sum for
    negative differences. Zeros are dropped. For up to 25 differences, p comes from the exact distribution of
    these mid-ranks, including ties. Printed tables, in contrast, are only correct without ties. For more
    than 25 differences, p comes from scipy's normal approximation, with tie correction and without continuity
    correction. If all differences are zero, p is 1. Raise `InputError` in the same cases as `differences`.

    Example: the differences are 0, .1, .1, .2, .3, −.1, .25, .05. Without the zero, the mid-ranks are 1 (for
    .05), 3 (for ±.1, three times), 5, 6 and 7. The only negative difference has a mid-rank of 3. Of the 2^7
    sets of ranks, 5 add up to at most 3: the empty set, {1}, and one set {3} for each of the three
    differences with this mid-rank. So p = 2·5/128 = .078.
    """
    apart = differences(x, y)
    apart = apart[apart != 0]
    if not apart.size:
        return TestResult("all differences are zero", 0.0, 1.0, 0)
    ranks: FloatArray = scipy.stats.rankdata(np.abs(apart))
    smaller = float(min(ranks[apart > 0].sum(), ranks[apart < 0].sum()))
    if apart.size <= MOST_EXACT:
        return TestResult("exact permutation", smaller, _exact(ranks, smaller), apart.size)
    asymptotic = scipy.stats.wilcoxon(apart, zero_method="wilcox", correction=False, method="approx")
    return TestResult("normal, ties corrected", smaller, positive(float(asymptotic.pvalue)), apart.size)


def _exact(ranks: FloatArray, smaller: float) -> float:
    """Return the exact p-value: the share of all sign patterns with a statistic of at most `smaller`."""
    doubled = np.round(2 * ranks).astype(np.int64)
    counts = np.zeros(int(doubled.sum()) + 1, dtype=np.int64)  # the number of choices with each sum
    counts[0] = 1
    for rank in doubled:
        counts[rank:] += counts[:-rank].copy()
    as_small = counts[: round(2 * smaller) + 1].sum()
    return positive(2 * as_small / counts.sum())

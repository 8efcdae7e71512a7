"""Wilcoxon's signed-rank test of paired values."""

from typing import Final

import numpy as np
from scipy import stats

from evaluation.arrays import FloatArray
from evaluation.comparison.results import TestResult, Values, differences, positive

MOST_EXACT: Final = 25
"""Up to this number of differences all 2^n signs are counted; above it the normal approximation is close."""


def wilcoxon(x: Values, y: Values) -> TestResult:
    """Test the differences by the two-sided signed-rank test.

    The statistic is the smaller of the two sums of signed mid-ranks. Zeros are dropped. Up to 25 differences,
    the exact distribution of these mid-ranks is counted, including ties; printed tables hold only for
    untied ranks. Above that, the distribution is normal, with tie correction and without continuity
    correction (scipy's). If all differences are zero, p is 1. Raise `InputError` as `differences` does.

    Example: 0, .1, .1, .2, .3, −.1, .25, .05. Without the zero, the mid-ranks are 1 (.05), 3 (three of .1),
    5, 6, 7, and the only negative one is a 3. Of the 2^7 choices of ranks, those that add up to at most 3 are
    ∅, {1} and three times {3}, so p = 2·5/128 = .078.
    """
    apart = differences(x, y)
    apart = apart[apart != 0]
    if not apart.size:
        return TestResult("all differences are zero", 0.0, 1.0, 0)
    ranks: FloatArray = stats.rankdata(np.abs(apart))
    smaller = float(min(ranks[apart > 0].sum(), ranks[apart < 0].sum()))
    if apart.size <= MOST_EXACT:
        return TestResult("exact permutation", smaller, _exact(ranks, smaller), apart.size)
    asymptotic = stats.wilcoxon(apart, zero_method="wilcox", correction=False, method="approx")
    return TestResult("normal, ties corrected", smaller, positive(float(asymptotic.pvalue)), apart.size)


def _exact(ranks: FloatArray, smaller: float) -> float:
    """Return the exact p: the share of all choices of signs for which one of the sums is as small."""
    doubled = np.round(2 * ranks).astype(np.int64)
    ways = np.zeros(int(doubled.sum()) + 1, dtype=np.int64)  # for each sum; at most 2^25 ways
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    as_small = ways[: round(2 * smaller) + 1].sum()
    return positive(2 * as_small / ways.sum())

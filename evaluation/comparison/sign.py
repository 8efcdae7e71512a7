"""The sign test of paired values."""

import numpy as np
import scipy

from .results import TestResult, Values, differences, positive


def sign_test(x: Values, y: Values) -> TestResult:
    """Test whether positive and negative differences are equally likely, by the exact binomial test.

    The test is two-sided and leaves out zeros. The statistic is the number of topics with x > y. If all
    differences are zero, p is 1. Raise `InputError` in the same cases as `differences`.

    Example: of the differences 0, .1, .1, .2, .3, −.1, .25 and .05, one is zero, and 6 of the other 7 are
    positive. So p = 2·(1 + 7)/2^7 = .125.
    """
    apart = differences(x, y)
    above, n = int((apart > 0).sum()), int(np.count_nonzero(apart))
    if not n:
        return TestResult("all differences are zero", 0.0, 1.0, 0)
    return TestResult("exact binomial", float(above), positive(scipy.stats.binomtest(above, n).pvalue), n)

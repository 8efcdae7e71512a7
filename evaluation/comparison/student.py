"""Student's t test of paired values."""

import math

import scipy

from ..errors import InputError
from .results import TestResult, Values, differences, positive, without_scale


def paired_t(x: Values, y: Values) -> TestResult:
    """Run a two-sided paired t test of whether the mean difference is 0.

    The test has n − 1 degrees of freedom for n topics. If all differences are zero, t = 0 and p = 1. If they
    are all the same but not zero, t is infinite. Raise `InputError` for fewer than two topics, and in the
    same cases as `differences`.

    Example: the differences 1, 2, 3 have a mean of 2 and a standard error of 1/√3, so t = 3.464, p = .0742.
    """
    apart = differences(x, y)
    if apart.size < 2:
        raise InputError(
            "too-few-topics-for-t",
            "only one topic has a value for both systems; give two or more topics for a t test",
        )
    if (apart == apart[0]).all():
        t = math.copysign(math.inf, apart[0]) if apart[0] else 0.0
        return TestResult("paired t, no variance", t, positive(float(not t)), apart.size)
    scaled, _ = without_scale(apart)
    t = scaled.mean() / (scaled.std(ddof=1) / math.sqrt(scaled.size))
    p = positive(2 * scipy.stats.t.sf(abs(t), apart.size - 1))
    return TestResult("paired t", float(t), p, apart.size)

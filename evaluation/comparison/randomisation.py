"""The randomisation test of paired values, which flips the signs of their differences at random."""

from typing import Final

import numpy as np

from ..errors import InputError
from .results import TestResult, Values, differences, noise, paired, positive

_AT_ONCE: Final = 1_000_000


def randomisation(x: Values, y: Values, *, rng: np.random.Generator, flips: int = 10_000) -> TestResult:
    """Use random sign flips to test whether the mean difference is 0.

    Source: [Smucker, Allan & Carterette, CIKM 2007]. Each flip gives all differences random signs. The test
    is two-sided, with p = (1 + b)/(1 + B). B is `flips`, the number of flips. b is the number of flips that
    give a mean at least as far from 0 as the observed mean. The observed signs count as one more flip, which
    adds 1 to b and to B. The statistic is the mean difference. The same state of `rng` gives the same p.
    Raise `InputError` for fewer than one flip, and in the same cases as `differences`.
    """
    if flips < 1:
        raise InputError("too-few-flips", "flips={flips} is too small; give 1 or more", flips=flips)
    apart = differences(x, y)
    # Two means of the same differences, added up with other signs, are equal but for rounding errors.
    least = abs(float(apart.mean())) - float(noise(*paired(x, y)).mean())
    as_far = 0
    for start in range(0, flips, step := max(1, _AT_ONCE // apart.size)):
        number = min(step, flips - start)
        signs = rng.integers(0, 2, size=(number, apart.size)) * 2 - 1
        as_far += int((np.abs(signs @ apart) / apart.size >= least).sum())
    p = positive((1 + as_far) / (1 + flips))
    return TestResult(f"{flips} random sign flips", float(apart.mean()), p, apart.size)

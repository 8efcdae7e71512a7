"""Holm's adjustment of p-values for their number."""

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.compare.results import Values
from evaluation.errors import InputError


def holm(p: Values) -> FloatArray:
    """Adjusted p-values, each in its place [Holm, Scandinavian Journal of Statistics 1979].

    The i-th smallest of m is multiplied by m − i + 1, is not below the one before it, and 1 at most; NaN, a
    comparison that was not made, stays and is not counted. Raises `InputError` for a p outside [0, 1].

    Example: .01, .04, .03 → 3·.01, then 2·.03 = .06, then max(.06, .04) = .06: .03, .06, .06.
    """
    values = np.asarray(p, dtype=np.float64)
    made = ~np.isnan(values)
    known = values[made]
    if ((known < 0) | (known > 1)).any():
        raise InputError("p-out-of-bounds", "a p-value is out of bounds; give numbers from 0 to 1")
    order = np.argsort(known, kind="stable")
    raised = np.maximum.accumulate(known[order] * np.arange(known.size, 0, -1))
    adjusted = np.empty(known.size)
    adjusted[order] = np.minimum(raised, 1.0)
    result = values.copy()
    result[made] = adjusted
    return result

"""Holm's adjustment of p-values for the number of comparisons."""

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.comparison.results import Values
from evaluation.errors import InputError


def holm(p: Values) -> FloatArray:
    """Return the adjusted p-values, each in its place [Holm, Scandinavian Journal of Statistics 1979].

    The i-th smallest of m values is multiplied by m − i + 1. The result is at least the adjusted value before
    it, and never above one. NaN stands for a comparison that was not made; it stays NaN and is not counted.
    Raise `InputError` if a p is outside [0, 1].

    Example: .01, .04, .03 become 3·.01 = .03, then 2·.03 = .06 for the last, then max(.06, .04) = .06 for the
    middle one: .03, .06, .06.
    """
    values = np.asarray(p, dtype=np.float64)
    is_made = ~np.isnan(values)
    known = values[is_made]
    if ((known < 0) | (known > 1)).any():
        raise InputError("p-out-of-bounds", "a p-value is out of bounds; give numbers from 0 to 1")
    order = np.argsort(known, kind="stable")
    raised = np.maximum.accumulate(known[order] * np.arange(known.size, 0, -1))
    adjusted = np.empty(known.size)
    adjusted[order] = np.minimum(raised, 1.0)
    result = values.copy()
    result[is_made] = adjusted
    return result

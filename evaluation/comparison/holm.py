"""Holm's adjustment of p-values for the number of comparisons."""

import numpy as np

from ..arrays import FloatArray
from ..errors import InputError
from .results import Values


def holm(p: Values) -> FloatArray:
    """Return the adjusted p-values, in the order of `p` [Holm, Scandinavian Journal of Statistics 1979].

    The i-th smallest of m values is multiplied by m − i + 1. If a product is below the result for the next
    smaller p-value, it is raised to that result. No result is above 1. NaN stands for a comparison that was
    not made. It stays NaN and does not count towards m. Raise `InputError` if a p-value is outside [0, 1].

    Example: for .01, .04, .03, the products are 3·.01 = .03, 1·.04 = .04 and 2·.03 = .06. The product .04 is
    below .06, the result for the next smaller p-value, so it is raised to .06. The adjusted p-values are .03,
    .06, .06.
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

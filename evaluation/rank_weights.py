"""The weights of rank-biased overlap, for rankings whose number of common items stays constant."""

import math
from typing import Final

import numpy as np

from .arrays import FloatArray

NEGLIGIBLE: Final = 1e-20
"""A power of p that changes no sum of weights."""
MOST_TERMS: Final = 1 << 20


def weights_from(p: float, depth: int) -> FloatArray:
    """Return Σ_{d ≥ m} (1 − p)·p^(d−1)/d for m = 1 … depth + 1 [Webber et al., TOIS 2010, eq. 13].

    This is what an item adds to rank-biased overlap if m is the first depth at which both rankings have it.

    Example: for p = .5, all depths together have the weight ln 2 = .693. From depth 2 on, it is ln 2 − .5.
    """
    # Small terms are added first. Where they begin must not depend on the depth, or else a run's value would
    # differ in its last digit with the depths of other runs.
    number = max(min(math.ceil(math.log(NEGLIGIBLE, p)), MOST_TERMS), 1 << depth.bit_length())
    terms = (1 - p) * p ** np.arange(number) / np.arange(1, number + 1)
    total = -math.log1p(-p) * (1 - p) / p  # Σ_{d ≥ 1} p^d/d = −ln(1 − p)
    deeper = max(0.0, total - math.fsum(terms))  # rounding must not make it negative
    return deeper + np.cumsum(terms[::-1])[::-1][: depth + 1]

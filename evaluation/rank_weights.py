"""The weights of rank-biased overlap, for rankings whose number of common items stays constant."""

import math

import numpy as np

from .arrays import FloatArray


def weights_from(p: float, depth: int) -> FloatArray:
    """Return Σ_{d ≥ m} (1 − p)·p^(d−1)/d for m = 1 … depth + 1 [Webber et al., TOIS 2010, eq. 13].

    This is what an item adds to rank-biased overlap if m is the first depth at which both rankings have it.

    Example: for p = .5, all depths together have the weight ln 2 = .693. From depth 2 on, it is ln 2 − .5.
    """
    terms = (1 - p) * p ** np.arange(depth) / np.arange(1, depth + 1)
    total = -math.log1p(-p) * (1 - p) / p  # Σ_{d ≥ 1} p^d/d = −ln(1 − p)
    deeper = max(0.0, total - math.fsum(terms))  # rounding must not make it negative
    return deeper + np.append(np.cumsum(terms[::-1])[::-1], 0.0)

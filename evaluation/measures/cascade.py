"""Measures of a reader who stops: expected reciprocal rank [Chapelle et al., CIKM 2009]."""

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.errors import InputError
from evaluation.measures.base import measure
from evaluation.measures.lists import RankedLists
from evaluation.measures.schemes import gains_of


@measure("ERR", counts="gain")
def expected_reciprocal_rank(
    lists: RankedLists, cutoff: int | None, *, gmax: str | float = "file"
) -> FloatArray:
    """Σ_r 1/r · R_r · Π_{i<r} (1 − R_i), R(g) = 2^(g − gmax) − 2^(−gmax).

    This form of (2^g − 1)/2^gmax stays finite for magnitudes, whose 2^gmax does not. `gmax` is the largest
    gain of the whole file, of the topic (`"topic"`), or a number; a file-wide one makes topics of small
    magnitudes weightless. Raises `InputError` where a retrieved gain is above the number.

    Example: gains ⟨3,2,3,0,0,1,2,2,3,0⟩, gmax 3: stops with 7/8, 3/8, 7/8, … give ERR@10 .9225.
    """
    gains = gains_of("linear", lists.gain[..., :cutoff])
    base = gains_of("linear", lists.base_gain)
    largest = {"topic": base.max(axis=-1, initial=0)[:, None], "file": base.max(initial=0)}
    top = largest[gmax] if isinstance(gmax, str) else gmax
    if (gains > top).any():
        raise InputError(f"the gain {gains.max():g} is above gmax={gmax}, the largest that ERR expects")
    # 2^(g − gmax)·(1 − 2^(−g)), which keeps its digits also where g is tiny.
    stop = -np.exp2(gains - top) * np.expm1(-gains * np.log(2))
    reached = np.cumprod(1 - stop, axis=-1)
    reached = np.concatenate([np.ones_like(reached[..., :1]), reached[..., :-1]], axis=-1)
    total: FloatArray = (stop * reached / np.arange(1, gains.shape[-1] + 1)).sum(axis=-1)
    return total

"""Measures of a reader who goes down the list and stops: expected reciprocal rank, rank-biased precision."""

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.errors import InputError
from evaluation.measures.base import measure
from evaluation.measures.hits import Hits
from evaluation.measures.lists import RankedLists


@measure("ERR", counts="gain")
def expected_reciprocal_rank(
    lists: RankedLists, cutoff: int | None, *, gmax: str | float | None = None
) -> FloatArray:
    """Σ_r 1/r · R_r · Π_{i<r} (1 − R_i), R(g) = 2^(g − gmax) − 2^(−gmax) [Chapelle et al., CIKM 2009].

    This form of (2^g − 1)/2^gmax stays finite for magnitudes, whose 2^gmax does not. `gmax` is the largest
    gain of the whole file (`"file"`, the default where all judged values are whole), of the topic
    (`"topic"`), or a number. A file-wide one makes topics of small magnitudes weightless, so gains that are
    not whole have no default. Raises `InputError` where a retrieved gain is above the number.

    Example: gains ⟨3,2,3,0,0,1,2,2,3,0⟩, gmax 3: stops with 7/8, 3/8, 7/8, … give ERR@10 .9225.
    """
    hits = lists.hits().within(cutoff)
    top = largest_gain(lists, hits, "linear", gmax, "ERR")
    # 2^(g − gmax)·(1 − 2^(−g)), which keeps its digits also where g is tiny.
    stop = hits.padded(-np.exp2(hits.gain - top) * np.expm1(-hits.gain * np.log(2)))
    rank = hits.padded(hits.rank)
    reached = np.cumprod(1 - stop, axis=-1)
    reached = np.concatenate([np.ones_like(reached[..., :1]), reached[..., :-1]], axis=-1)
    total: FloatArray = (stop * reached / np.maximum(rank, 1)).sum(axis=-1)
    return total


@measure("RBP", counts="relevant")
def rank_biased_precision(
    lists: RankedLists,
    cutoff: int | None,
    *,
    p: float = 0.8,
    gain: str = "binary",
    gmax: str | float | None = None,
    rel: float | None = None,
) -> FloatArray:
    """(1 − p)·Σ p^(i−1)·g[i]/gmax, for a reader who goes on with probability p [Moffat & Zobel, TOIS 2008].

    With `gain="binary"` g[i]/gmax is 1 for a relevant document and 0 for any other; with a scheme of gains
    it is the graded share, `gmax` as in ERR but of the scheme's gains, and a topic without gain is empty.
    Raises `InputError` where a retrieved gain is above the number given as gmax.

    Example: relevant at ranks 1 and 3, p = .8: .2·(1 + .64) = .328.
    """
    hits = lists.hits(gain, rel).within(cutoff)
    worth = hits.relevant if gain == "binary" else hits.gain / largest_gain(lists, hits, gain, gmax, "RBP")
    return (1 - p) * hits.total(worth * np.power(p, hits.rank - 1.0))


def largest_gain(
    lists: RankedLists, hits: Hits, gain: str, gmax: str | float | None, measure: str
) -> FloatArray | float:
    """Return gmax for each hit: the file's, the topic's, or the number, which no retrieved gain may exceed.

    `Measure.inputs` has put the default in the place of None.
    """
    if isinstance(gmax, int | float):
        if (hits.gain > gmax).any():
            raise InputError(
                "gain-above-gmax",
                "the gain {value} is above gmax={gmax} of {measure}; set gmax to the largest gain or more",
                value=f"{hits.gain.max():g}",
                gmax=str(gmax),
                measure=measure,
            )
        return float(gmax)
    base = lists.ideal(gain)[:, 0]  # the largest gain of each topic
    return base[hits.topic] if gmax == "topic" else float(base.max(initial=0))

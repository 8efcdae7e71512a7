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
    """Return Σ_r 1/r · R_r · Π_{i<r} (1 − R_i) [Chapelle et al., CIKM 2009].

    R_r = R(g[r]) is the probability that the reader stops at rank r, with R(g) = 2^(g − gmax) − 2^(−gmax).
    This form of (2^g − 1)/2^gmax stays finite for magnitudes, although 2^gmax does not.

    `gmax` is the largest gain of the whole file (`"file"`, the default if all judged values are whole), of
    the topic (`"topic"`), or a number. With the largest gain of a file, topics with small magnitudes have
    almost no weight, so there is no default for gains that are not whole. Raise `InputError` if a retrieved
    gain is above the number that you set.

    Example: for the gains ⟨3,2,3,0,0,1,2,2,3,0⟩ and gmax 3, the reader stops with the probabilities 7/8, 3/8,
    7/8, …, and ERR@10 is .9225.
    """
    hits = lists.hits().within(cutoff)
    top = largest_gain(lists, hits, "linear", gmax, "ERR")
    # 2^(g − gmax)·(1 − 2^(−g)) keeps its digits even if g is tiny.
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
    """Return (1 − p)·Σ p^(i−1)·g[i]/gmax, for a reader who continues with probability p.

    The measure comes from Moffat & Zobel (TOIS 2008). With `gain="binary"`, g[i]/gmax is 1 for a relevant
    document and 0 for all others. With any other gain scheme, the gains are graded. `gmax` then has the same
    values and default as in ERR, applied to the scheme's gains, and a topic without gain is empty. Raise
    `InputError` if a retrieved gain is above the number that you set.

    Example: if the documents at ranks 1 and 3 are relevant and p = .8, RBP is .2·(1 + .64) = .328.
    """
    hits = lists.hits(gain, rel).within(cutoff)
    worth = hits.relevant if gain == "binary" else hits.gain / largest_gain(lists, hits, gain, gmax, "RBP")
    return (1 - p) * hits.total(worth * np.power(p, hits.rank - 1.0))


def largest_gain(
    lists: RankedLists, hits: Hits, gain: str, gmax: str | float | None, measure: str
) -> FloatArray | float:
    """Return the gmax of each hit: the largest gain of the file or of the topic, or the number that was set.

    `Measure.inputs` has already replaced None by the default. Raise `InputError` if a retrieved gain is above
    the number.
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

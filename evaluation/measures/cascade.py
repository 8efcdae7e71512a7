"""Measures that model a reader who goes down the list and stops.

They are expected reciprocal rank and rank-biased precision.
"""

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from ..options import checked
from .definitions import measure
from .gain_lists import GainLists, share
from .hits import Hits
from .lists import RankedLists, at_rank
from .parameters import Ideal, Stop


@checked
@measure("ERR", counts="gain")
def expected_reciprocal_rank(
    lists: RankedLists,
    cutoff: int | None,
    *,
    gmax: str | float | None = None,
    stop: Stop = "exp",
    factor: float = 15 / 16,
) -> FloatArray:
    """Return Σ_r 1/r · S(g[r]) · Π_{i<r} (1 − S(g[i])) [Chapelle et al., CIKM 2009].

    S(g) is the probability that the reader stops at a document with gain g. `gmax` is a number, or the
    largest gain in the file (`"file"`, the default if all judged values are whole) or in the topic
    (`"topic"`). `stop` is one of:

    - `"exp"`: S(g) = 2^(g − gmax) − 2^(−gmax). This equals (2^g − 1)/2^gmax, but stays finite for large
      magnitudes, for which 2^gmax would overflow. If `gmax` were the largest gain of a file, topics with
      small magnitudes would have almost no weight. So `gmax` has no default for gains that are not whole.
    - `"ntcireval"`: S(g) = g/(gmax + 1), as in NTCIREVAL. The default of `gmax` is the same as for `"exp"`.
    - `"share"`: S(g) = factor · g/gmax. Here, the default of `gmax` is `"topic"`. In the paper,
      15/16 is the probability for the largest of the grades 0 … 4. With `"share"`, ERR does not change if all
      gains are multiplied by the same number.

    Raise `InputError` if you set `gmax` to a number and a retrieved gain is above this number.

    Example: for the gains ⟨3,2,3,0,0,1,2,2,3,0⟩ and gmax 3, the reader stops with the probabilities
    7/8, 3/8, 7/8, …, and ERR@10 is .9225. For ⟨2,0,1⟩ with gmax 2, ERR is 3/4 + 1/3 · 1/4 · 1/4 = .771. With
    `"ntcireval"` it is 2/3 + 1/3 · 1/3 · 1/3 = .704, and with `"share"` 15/16 + 1/16 · 15/32 · 1/3 = .947.
    """
    hits = lists.hits().within(cutoff)
    stops = _stops(hits.gain, largest_gain(lists, hits, "linear", gmax, "ERR"), stop, factor)
    return hits.total(hits.taken_from(_reached_and_stopped(hits.padded(stops), hits.padded(hits.rank))))


@checked
@measure("nERR", counts="gain")
def normalised_expected_reciprocal_rank(
    lists: RankedLists,
    cutoff: int | None,
    *,
    gmax: str | float | None = None,
    stop: Stop = "exp",
    factor: float = 15 / 16,
    ideal: Ideal = "recall_base",
) -> FloatArray:
    """Return ERR divided by the ERR of the ideal list at the same cut-off [Sakai & Song, SIGIR 2011].

    The parameters are those of ERR, plus `ideal`, which works as in nDCG. Raise `InputError` if you set
    `gmax` to a number and a gain is above this number.

    Example: for the gains ⟨2,0,3⟩ with gmax 3, ERR@3 is 3/8 + 1/3 · 7/8 · 5/8 = .557. The recall base is
    3, 2, 1. For the ideal list ⟨3,2,1⟩, ERR@3 is 7/8 + 1/2 · 3/8 · 1/8 + 1/3 · 1/8 · 5/8 · 1/8 = .902. So
    nERR@3 is .557/.902 = .618.
    """
    own = expected_reciprocal_rank(lists, cutoff, gmax=gmax, stop=stop, factor=factor)
    hits = lists.hits()
    best = GainLists(lists, "linear", ideal, None).ideal_gains()
    top: FloatArray | float = lists.ideal()[:, :1] if gmax == "topic" else float(lists.ideal().max(initial=0))
    if isinstance(gmax, int | float):
        _refuse_above(lists.ideal() if ideal == "recall_base" else hits.gain, gmax, "nERR")
        top = float(gmax)
    ranks = np.arange(1, best.shape[-1] + 1)
    curve = np.cumsum(_reached_and_stopped(_stops(best, top, stop, factor), ranks), axis=-1)
    ideals = np.broadcast_to(curve, (*lists.shape, curve.shape[-1]))
    return share(own, at_rank(ideals, lists.cutoffs(cutoff, None)))


def _stops(gain: FloatArray, top: FloatArray | float, stop: Stop, factor: float) -> FloatArray:
    """Return the probability that a reader stops at documents with these gains. `top` is gmax."""
    if stop == "ntcireval":
        return gain / (top + 1)
    if stop == "share":
        return factor * gain / top
    # 2^(g − gmax)·(1 − 2^(−g)) keeps its digits even if g is tiny.
    probability: FloatArray = -np.exp2(gain - top) * np.expm1(-gain * np.log(2))
    return probability


def _reached_and_stopped(stop: FloatArray, rank: IntArray) -> FloatArray:
    """Return 1/r times the probability that the reader reaches rank r and stops there (…, documents)."""
    reached = np.cumprod(1 - stop, axis=-1)
    reached = np.concatenate([np.ones_like(reached[..., :1]), reached[..., :-1]], axis=-1)
    return stop * reached / np.maximum(rank, 1)


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
    document and 0 for all others. With any other gain scheme, the gains are graded. For graded gains, `gmax`
    has the same values and default as in ERR, but refers to the scheme's gains. With graded gains, a topic
    without gain has no value. Raise `InputError` if you set `gmax` to a number and a retrieved gain is above
    this number.

    Example: if the documents at ranks 1 and 3 are relevant and p = .8, RBP is .2·(1 + .64) = .328.
    """
    hits = lists.hits(gain, rel).within(cutoff)
    worth = graded_share(lists, hits, gain, gmax, "RBP")
    return (1 - p) * hits.total(worth * np.power(p, hits.rank - 1.0))


def graded_share(
    lists: RankedLists, hits: Hits, gain: str, gmax: str | float | None, measure: str
) -> FloatArray:
    """Return the worth of each hit, from 0 to 1: g/gmax, or whether it is relevant with `gain="binary"`."""
    if gain == "binary":
        return hits.relevant.astype(np.float64)
    return hits.gain / largest_gain(lists, hits, gain, gmax, measure)


def largest_gain(
    lists: RankedLists, hits: Hits, gain: str, gmax: str | float | None, measure: str
) -> FloatArray | float:
    """Return the gmax of each hit: the largest gain of the file or of the topic, or the number that was set.

    `Measure.inputs` has already replaced a `gmax` of None by the default. Raise `InputError` if a retrieved
    gain is above the number that was set.
    """
    if isinstance(gmax, int | float):
        _refuse_above(hits.gain, gmax, measure)
        return float(gmax)
    base = lists.ideal(gain)[:, 0]  # the largest gain of each topic
    return base[hits.topic] if gmax == "topic" else float(base.max(initial=0))


def _refuse_above(gains: FloatArray, gmax: float, measure: str) -> None:
    """Raise `InputError` if a gain is above the number `gmax`."""
    if (gains > gmax).any():
        raise InputError(
            "gain-above-gmax",
            "the gain {value} is above gmax={gmax} of {measure}; set gmax to at least the largest gain",
            value=f"{gains.max():g}",
            gmax=str(gmax),
            measure=measure,
        )

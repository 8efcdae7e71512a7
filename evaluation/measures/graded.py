"""Precision and recall extended to gains. SR and MSR are in `cumulated`.

`cg` and `cgI` are the cumulated gains of the list and of its ideal. `rel[n]` is 1 if the document at rank n
is relevant, else 0. `count[n]` is the number of relevant documents down to rank n, and R is the number of
relevant documents in the topic's recall base. The judged value decides which documents are relevant (`rel=`).
The ideal list contains the recall base or, with `ideal="retrieved"`, the documents of the list itself.

Scaling all gains changes Q and R_measure, because they add gains and counts of documents. Multiplying all
gains by ten has the same effect as β = 10. WAP and AGR are means of ratios of gains, so a common factor does
not change them. Adding a constant to all gains changes all four measures.

Example: gains ⟨0,0,2,0,0⟩ and ⟨0,0,0,0,2⟩ with the recall base 3, 2, 1 [Zhou & Yao 2010, ex. 5]. WAP is 1/3 ·
2/6 = .11 for both lists, because cgI stays 6 from rank 3 on. Q is 1/3 · (2 + 1)/(6 + 3) = .11 for the
first list, but 1/3 · (2 + 1)/(6 + 5) = .09 for the second.
"""

import numpy as np

from ..arrays import FloatArray, IntArray
from ..options import checked
from .cascade import largest_gain
from .definitions import measure
from .gain_lists import GainLists, share
from .hits import Hits
from .lists import RankedLists
from .parameters import Ideal, Norm


@checked
def weighted_average_precision(
    lists: RankedLists,
    cutoff: int | None,
    *,
    gain: str = "linear",
    ideal: Ideal = "recall_base",
    rel: float | None = None,
    norm: Norm = "R",
) -> FloatArray:
    """Return 1/R · Σ_{n≤k} rel[n] · cg[n]/cgI[n] (Kando et al. 2001).

    `norm="min"` divides by min(k, R) instead of R. AGR is WAP with `adjust="agr"`, which adjusts the gains
    [Sakai, AIRS 2005].
    """
    gain_lists = GainLists(lists, gain, ideal, rel)
    hits = gain_lists.hits.within(cutoff)
    shares = share(hits.running(hits.gain), _ideal_at(gain_lists, hits))
    return hits.total(np.where(hits.relevant, shares, 0.0)) / _norms(lists, cutoff, rel, norm)


measure("WAP", counts="relevant", whole_base=True)(weighted_average_precision)
measure("AGR", counts="relevant", whole_base=True, adjust="agr")(weighted_average_precision)


@checked
@measure("Q", counts="relevant", whole_base=True)
def q_measure(
    lists: RankedLists,
    cutoff: int | None,
    *,
    beta: float = 1,
    gain: str = "linear",
    ideal: Ideal = "recall_base",
    rel: float | None = None,
    norm: Norm = "R",
) -> FloatArray:
    """Return 1/R · Σ_{n≤k} rel[n] · (β·cg[n] + count[n])/(β·cgI[n] + n) [Sakai, AIRS 2005].

    With β = 0, this is AP. `norm="min"` divides by min(k, R) instead of R. Example: for the gains ⟨0,2,0,3,0⟩
    and the ideal ⟨3,2,1,1,1,1⟩ at k = 5, the sum is (2 + 1)/(5 + 2) + (5 + 2)/(7 + 4) = 1.065. Divided by R =
    6, this is .177. Divided by min(5, 6), it is .213.
    """
    gain_lists = GainLists(lists, gain, ideal, rel)
    hits = gain_lists.hits.within(cutoff)
    gained = hits.running(beta * hits.gain + hits.relevant)
    blended = gained / (beta * _ideal_at(gain_lists, hits) + hits.rank)
    return hits.total(np.where(hits.relevant, blended, 0.0)) / _norms(lists, cutoff, rel, norm)


@checked
@measure("R_measure", counts="relevant", whole_base=True)
def r_measure(
    lists: RankedLists,
    cutoff: int | None,
    *,
    beta: float = 1,
    gain: str = "linear",
    ideal: Ideal = "recall_base",
    rel: float | None = None,
) -> FloatArray:
    """Return (β·cg[R] + count[R])/(β·cgI[R] + R), which is Q's ratio at rank R [Sakai, AIRS 2005].

    With binary gains, this is Rprec. Lists shorter than R are padded with documents that are not relevant. If
    there is a cut-off, documents after it do not count. Example: for the gains ⟨0,2,0,3,0⟩ and the ideal
    ⟨3,2,1,1,1,1⟩, the result is (5 + 2)/(9 + 6) = .467.
    """
    gain_lists = GainLists(lists, gain, ideal, rel)
    hits, in_base = gain_lists.hits.within(cutoff), lists.recall(rel)
    is_counted = hits.rank <= in_base[hits.topic]
    curve = gain_lists.ideal_curve()
    last = np.clip(in_base, 1, curve.shape[-1]) - 1
    ideal_sum = curve[:, np.arange(len(in_base)), last]
    gained = hits.total(np.where(is_counted, beta * hits.gain + hits.relevant, 0.0))
    return gained / (beta * ideal_sum + in_base)


@measure("gP", counts="gain")
def graded_precision(
    lists: RankedLists,
    cutoff: int | None,
    *,
    gmax: str | float | None = None,
    gain: str = "linear",
    rel: float | None = None,
) -> FloatArray:
    """Return 1/k · Σ_{i≤k} g[i]/gmax, the mean gain at the ranks 1 … k as a share of `gmax`.

    `gmax` has the same values and default as in ERR. Raise `InputError` if you set `gmax` to a number and a
    retrieved gain is above this number. Example: ⟨3,2,3,0,0,1,2,2,3,0⟩ with gmax 3 gives 16/30 = .533.
    """
    hits = lists.hits(gain, rel).within(cutoff)
    return hits.total(hits.gain / largest_gain(lists, hits, gain, gmax, "gP")) / lists.cutoffs(cutoff, rel)


@measure("gR", counts="gain", whole_base=True)
def graded_recall(
    lists: RankedLists, cutoff: int | None, *, gain: str = "linear", rel: float | None = None
) -> FloatArray:
    """Return Σ_{i≤k} g[i], divided by the sum of the gains of the recall base.

    Example: ⟨3,2,3,0,0,1,2,2,3,0⟩ with the recall base ⟨3,3,3,2,2,2,1,1,1,1⟩ gives 16/19 = .842.
    """
    gain_lists = GainLists(lists, gain, "recall_base", rel)
    hits = gain_lists.hits.within(cutoff)
    return hits.total(hits.gain) / gain_lists.ideal_curve()[0, :, -1]


def _ideal_at(gain_lists: GainLists, hits: Hits) -> FloatArray:
    """Return cgI at the rank of each hit. After the end of the ideal, cgI keeps its last value."""
    curve = gain_lists.ideal_curve()
    rank = np.minimum(hits.rank, curve.shape[-1])
    ideal: FloatArray = curve[np.minimum(hits.run, len(curve) - 1), hits.topic, rank - 1]
    return ideal


def _norms(lists: RankedLists, cutoff: int | None, rel: float | None, norm: Norm) -> IntArray:
    """Return the divisor of a sum over the ranks of relevant documents: R, or min(k, R)."""
    in_base = lists.recall(rel)
    return np.minimum(lists.cutoffs(cutoff, rel), in_base) if norm == "min" else in_base

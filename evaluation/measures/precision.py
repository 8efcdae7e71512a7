"""Measures that count relevant documents; which are relevant is tested on the judged value (`rel=`).

`count[n]` is the number of relevant documents down to rank n, R the number in the topic's recall base.
Example: relevant at ranks 1 and 3, R = 2: P@3 2/3, R@3 1, AP (1/1 + 2/3)/2 = .83, RR 1.
"""

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.measures.base import measure
from evaluation.measures.lists import RankedLists


@measure("P", counts="relevant")
def precision(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """count[k] / k; a list shorter than k is still divided by k."""
    relevant, k = _down_to_cutoff(lists, cutoff, rel)
    found: IntArray = relevant.sum(axis=-1)
    return found / k


@measure("R", counts="relevant")
def recall(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """count[k] / R."""
    relevant, _ = _down_to_cutoff(lists, cutoff, rel)
    found: IntArray = relevant.sum(axis=-1)
    return found / lists.recall(rel)


@measure("AP", counts="relevant")
def average_precision(
    lists: RankedLists, cutoff: int | None, *, rel: float | None = None, norm: str = "R"
) -> FloatArray:
    """1/R · Σ_{n≤k} rel[n]·count[n]/n; `norm="min"` divides by min(k, R) instead of R.

    Example: relevant at ranks 2 and 4 of 5, R = 6: (1/2 + 2/4)/6 = .167, or with "min" (1/2 + 2/4)/5 = .2.
    """
    relevant, k = _down_to_cutoff(lists, cutoff, rel)
    ranks = np.arange(1, relevant.shape[-1] + 1)
    total: FloatArray = (relevant * relevant.cumsum(axis=-1) / ranks).sum(axis=-1)
    in_base = lists.recall(rel)
    return total / (np.minimum(k, in_base) if norm == "min" else in_base)


@measure("RR", counts="relevant")
def reciprocal_rank(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """1 / the rank of the first relevant document, 0 where there is none down to the cut-off."""
    relevant, _ = _down_to_cutoff(lists, cutoff, rel)
    return np.where(relevant.any(axis=-1), 1 / (relevant.argmax(axis=-1) + 1), 0.0)


def _down_to_cutoff(lists: RankedLists, cutoff: int | None, rel: float | None) -> tuple[BoolArray, IntArray]:
    """Relevance at the ranks 1 … max k, and k itself per list; beyond max(L, R) nothing can be found."""
    k = lists.cutoffs(cutoff, rel)
    width = max(1, min(int(k.max(initial=1)), lists.level.shape[-1]))
    return lists.relevant(rel, width), k

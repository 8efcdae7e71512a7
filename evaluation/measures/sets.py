"""Measures of the set of documents that a run retrieves for a topic, in any order, as in trec_eval.

L is the length of the list, R is the number of relevant documents in the topic's recall base, and c is the
number of relevant documents in the list. An empty list has the value 0. The fourth of these measures, c/R,
is `R` without a cut-off.

Example: a list of 4 documents has c = 2 of R = 3 relevant documents. SetP is 2/4, SetF is 2·½·⅔/(½ + ⅔) =
.571, and SetAP is 2²/(4·3) = .333. The relative SetP is 2/min(4, 3) = .667.
"""

import numpy as np

from ..arrays import FloatArray, IntArray
from ..options import checked
from .definitions import measure
from .gain_lists import share
from .lists import RankedLists
from .parameters import Relative
from .precision import relevant_hits


@checked
@measure("SetP", counts="relevant")
def set_precision(
    lists: RankedLists, cutoff: int | None, *, rel: float | None = None, relative: Relative = "no"
) -> FloatArray:
    """Return c/L, which trec_eval calls set_P. With `relative="yes"`, return c/min(L, R), set_relative_P.

    With a cut-off k, L is min(k, L), and c counts the documents at the ranks 1 … k.
    """
    retrieved = _retrieved(lists, cutoff)
    most = np.minimum(retrieved, lists.recall(rel)) if relative == "yes" else retrieved
    return share(_found(lists, cutoff, rel), most.astype(np.float64))


@measure("SetF", counts="relevant")
def set_f(lists: RankedLists, cutoff: int | None, *, beta: float = 1, rel: float | None = None) -> FloatArray:
    """Return (1 + β²)·c/(β²·R + L), which is F of SetP and c/R [van Rijsbergen 1979, ch. 7].

    The parameter of trec_eval's set_F is β², so set_F_4 there is SetF(beta=2) here.
    """
    alpha = 1 / (1 + float(beta) * beta)
    effort = alpha * _retrieved(lists, cutoff) + (1 - alpha) * lists.recall(rel)
    return share(_found(lists, cutoff, rel), effort)


@measure("SetAP", counts="relevant")
def set_average_precision(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return c²/(L·R), the product of SetP and c/R, which trec_eval calls set_map.

    This is AP if every relevant document that is retrieved counts with the precision of the whole list.
    """
    found = _found(lists, cutoff, rel)
    return share(found**2, (_retrieved(lists, cutoff) * lists.recall(rel)).astype(np.float64))


def _found(lists: RankedLists, cutoff: int | None, rel: float | None) -> FloatArray:
    """Return c, the number of relevant documents in each list (runs, topics)."""
    return relevant_hits(lists, cutoff, rel).count().astype(np.float64)


def _retrieved(lists: RankedLists, cutoff: int | None) -> IntArray:
    """Return the number of documents in each list, down to the cut-off if there is one (runs, topics)."""
    return lists.length if cutoff is None else np.minimum(lists.length, cutoff)

"""Measures that count relevant documents. The judged value decides which documents are relevant (`rel=`).

`count[n]` is the number of relevant documents down to rank n. R is the number of relevant documents in the
topic's recall base, and L is the length of the list. `rel[n]` is 1 if the document at rank n is relevant,
else 0. If a list is empty, all these measures are 0.

Example: the documents at ranks 1 and 3 are relevant, R = 2, L = 3. P@3 is 2/3, R@3 is 1, F@3 is 2·1·⅔/(1 + ⅔)
= .8, AP is (1/1 + 2/3)/2 = .83, Rprec is 1/2, RR is 1 and Success@1 is 1.
"""

import math
from typing import Final

import numpy as np

from ..arrays import FloatArray
from ..options import checked
from .collection_size import irrelevant_documents
from .definitions import measure
from .hits import Hits
from .lists import RankedLists
from .parameters import Norm

LEAST_AP: Final = 0.00001
"""The smallest AP whose logarithm counts in GMAP: MIN_GEO_MEAN in trec_eval."""


@measure("P", counts="relevant")
def precision(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return count[k] / k. If a list is shorter than k, the divisor is still k."""
    return relevant_hits(lists, cutoff, rel).count() / lists.cutoffs(cutoff, rel)


@measure("relative_P", counts="relevant")
def relative_precision(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return count[k] / min(k, R), the share of the highest precision that is possible at rank k.

    Down to rank R this is P, and after that R, as in trec_eval's relative_P.
    """
    most = np.minimum(lists.cutoffs(cutoff, rel), lists.recall(rel))
    return relevant_hits(lists, cutoff, rel).count() / most


@measure("R", counts="relevant")
def recall(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return count[k] / R."""
    return relevant_hits(lists, cutoff, rel).count() / lists.recall(rel)


@measure("Fallout", counts="relevant", lower_is_better=True)
def fallout(
    lists: RankedLists,
    cutoff: int | None,
    *,
    N: float | None = None,  # noqa: N803 (the usual symbol)
    rel: float | None = None,
) -> FloatArray:
    """Return (min(k, L) − count[k]) / (N − R), the share of irrelevant documents that are retrieved.

    Lower is better. N is the number of documents in the collection. Unjudged documents count as irrelevant.
    Raise `InputError` if N is missing or too small. Example: a list has 3 documents, and one of them is
    relevant. With R = 5 and N = 100, Fallout@10 is (3 − 1)/95 = .021.
    """
    irrelevant = irrelevant_documents(lists, N, rel, "Fallout")
    retrieved = np.minimum(lists.cutoffs(cutoff, rel), lists.length)
    return (retrieved - relevant_hits(lists, cutoff, rel).count()) / irrelevant


@measure("F", counts="relevant")
def f_measure(
    lists: RankedLists, cutoff: int | None, *, beta: float = 1, rel: float | None = None
) -> FloatArray:
    """Return (1 + β²)·P·R / (β²·P + R) for P@k and R@k, or 0 if both are 0 [van Rijsbergen 1979, ch. 7].

    β > 1 favours recall. β = 0 gives P. The code uses van Rijsbergen's form with α = 1/(1 + β²): count[k] /
    (α·k + (1 − α)·R). In this form, which never divides 0 by 0, R is the number of relevant documents.
    Example: with a precision of 2/3 and a recall of 1, β = 2 gives 5·⅔/(4·⅔ + 1) = .909.
    """
    alpha = 1 / (1 + float(beta) * beta)
    effort = alpha * lists.cutoffs(cutoff, rel) + (1 - alpha) * lists.recall(rel)
    return relevant_hits(lists, cutoff, rel).count() / effort


@checked
@measure("AP", counts="relevant")
def average_precision(
    lists: RankedLists, cutoff: int | None, *, rel: float | None = None, norm: Norm = "R"
) -> FloatArray:
    """Return 1/R · Σ_{n≤k} rel[n]·count[n]/n. `norm="min"` divides by min(k, R) instead of R.

    Example: the documents at ranks 2 and 4 are relevant, and R = 6. AP@5 is (1/2 + 2/4)/6 = .167. With
    `norm="min"`, AP@5 is (1/2 + 2/4)/5 = .2.
    """
    hits = relevant_hits(lists, cutoff, rel)
    in_base = lists.recall(rel)
    norms = np.minimum(lists.cutoffs(cutoff, rel), in_base) if norm == "min" else in_base
    return hits.total_share() / norms


@measure("GMAP", counts="relevant", is_logarithm=True, bounds=(math.log(LEAST_AP), 0.0))
def logarithm_of_average_precision(
    lists: RankedLists, cutoff: int | None, *, rel: float | None = None
) -> FloatArray:
    """Return ln(max(AP, .00001)). Over all topics, GMAP is the geometric mean of AP [Robertson, CIKM 2006].

    A topic in which AP doubles changes the geometric mean by the same factor, whether AP is high or low.
    Tests and intervals use the logarithms of the topics. trec_eval, which calls this measure gm_map, raises
    AP to .00001 too, because the logarithm of 0 has no value.

    Example: AP is .4 in one topic and .1 in another. GMAP is −.916 and −2.303 in these topics. Over both, it
    is exp(−1.609) = .2, but the arithmetic mean of AP is .25.
    """
    return np.log(np.maximum(average_precision(lists, cutoff, rel=rel), LEAST_AP))


@measure("Rprec", counts="relevant")
def r_precision(
    lists: RankedLists, cutoff: int | None, *, multiple: float = 1, rel: float | None = None
) -> FloatArray:
    """Return count[R] / R, which is both P@R and R@R. With a cut-off k below R, return count[k] / R.

    With `multiple=m`, return precision at rank ⌈m·R⌉ instead, which trec_eval calls Rprec_mult.

    Example: the documents at ranks 1, 3 and 5 are relevant, and R = 4. Two of the first four documents are
    relevant, so the result is 2/4. With `multiple=1.2`, three of the first ⌈4.8⌉ = 5 are, and it is 3/5.
    """
    hits = relevant_hits(lists, cutoff, rel)
    depth = rounded_up(lists.recall(rel) * np.float64(multiple))
    return hits.total((hits.rank <= depth[hits.topic]).astype(np.float64)) / depth


@measure("RR", counts="relevant")
def reciprocal_rank(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return 1 / the rank of the first relevant document, or 0 if the list has none within the cut-off."""
    hits = relevant_hits(lists, cutoff, rel)
    return hits.total((hits.place == 1) / hits.rank)


@measure("Success", counts="relevant")
def success(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return 1 if a relevant document is within the cut-off, else 0."""
    return (relevant_hits(lists, cutoff, rel).count() > 0).astype(np.float64)


def rounded_up(number: FloatArray) -> FloatArray:
    """Return the numbers rounded up, without rounding errors.

    .07·100 is slightly above 7 in floating point, so plain rounding up would return 8.
    """
    return np.ceil(number * (1 - 1e-12))


def relevant_hits(lists: RankedLists, cutoff: int | None, rel: float | None) -> Hits:
    """Return the relevant documents at the ranks 1 … k."""
    return lists.hits(rel=rel).within(cutoff).only_relevant()

"""Measures for incomplete judgments, and measures of how complete the judgments are.

A retrieved document is judged relevant, judged not relevant, or not judged. If only a sample of the pool was
judged, there is a fourth kind: documents that were pooled but not sampled. The qrels mark these documents
with a negative code such as −1. Read such qrels with `negative="zero"`. `unsampled=` says which codes mark
documents that were not sampled: `"negative"` (every negative code, as in trec_eval), `"none"`, or one number
such as −1. A document with any other negative code counts as judged not relevant.

Example: in a list of six documents, those at ranks 1, 4 and 6 are relevant. The document at rank 2 was judged
not relevant. The document at rank 3 was not sampled, and the document at rank 5 was not in the pool. R = 4,
and 3 documents of the topic were judged not relevant. bpref is (1 + (1 − 1/3) + (1 − 1/3))/4 = .583. infAP is
(1 + (1/4 + 3/4 · 3/3 · 1/2) + (1/6 + 5/6 · 4/5 · 2/3))/4 = .559. By default, Judged@6 counts the
document at rank 3 as judged, so Judged@6 is 5/6. With `unsampled="negative"`, it is 4/6.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..options import checked
from .definitions import FROM_ZERO, measure
from .hits import places_in
from .lists import RankedLists, is_relevant
from .parameters import Divisor, OverTopics, Topics

EPSILON = 1e-5
"""A number added to infAP's counts, so that the share of relevant documents is ½ if none were judged."""


@checked
@measure("Judged", counts="documents")
def judged(
    lists: RankedLists,
    cutoff: int | None,
    *,
    unsampled: str | float = "none",
    topics: Topics = "relevant",
) -> FloatArray:
    """Return the share of judged documents among the first min(k, L) documents, or 0 for an empty list.

    L is the length of the list. With `unsampled="negative"`, documents that were pooled but not sampled count
    as not judged. With `topics="judged"`, topics without a relevant document have a value too, as in
    ir_measures.
    """
    is_judged = ~is_unsampled(lists, unsampled)[lists.document]
    if cutoff is not None:
        is_judged &= lists.rank <= cutoff
    examined = lists.length if cutoff is None else np.minimum(cutoff, lists.length)
    return _counted(lists, is_judged) / np.maximum(examined, 1)


@checked
@measure("NumRet", counts="documents", whole=True, bounds=FROM_ZERO)
def number_retrieved(
    lists: RankedLists,
    cutoff: None,
    *,
    rel: float | None = None,
    over_topics: OverTopics = "sum",
    topics: Topics = "relevant",
) -> FloatArray:
    """Return the number of retrieved documents. With `rel`, count only those with a judged value ≥ `rel`.

    The value over all topics is the sum of the topics' values, as in trec_eval and ir_measures. With
    `over_topics="mean"`, it is their mean. With `topics="judged"`, topics without a relevant document count
    too.
    """
    if rel is None:
        return lists.length.astype(np.float64)
    return _counted(lists, is_relevant(lists.level, rel)[lists.document]).astype(np.float64)


@checked
@measure("NumRel", counts="documents", whole=True, bounds=FROM_ZERO)
def number_relevant(
    lists: RankedLists,
    cutoff: None,
    *,
    rel: float | None = None,
    over_topics: OverTopics = "sum",
    topics: Topics = "relevant",
) -> FloatArray:
    """Return R, the number of relevant documents in the topic's recall base, whatever a run retrieves.

    The parameters are those of NumRet.
    """
    return np.broadcast_to(lists.recall(rel).astype(np.float64), lists.shape)


@checked
@measure("bpref", counts="relevant", whole=True)
def binary_preference(
    lists: RankedLists,
    cutoff: None,
    *,
    rel: float | None = None,
    divisor: Divisor = "min",
    unsampled: str | float = "negative",
) -> FloatArray:
    """Return 1/R · Σ (1 − min(n, R) / min(N, R)) over the relevant documents that are retrieved.

    For each of these documents, n is the number of documents above it that were judged not relevant. N is the
    number of all documents of the topic that were judged not relevant. The default formula is that of
    trec_eval. With `divisor="R"`, the divisor is R instead of min(N, R) [Buckley & Voorhees, SIGIR 2004].
    """
    hits = _RelevantHits.of(lists, rel, unsampled)
    in_base = lists.recall(rel)
    is_irrelevant = ~(np.isnan(lists.level) | is_relevant(lists.level, rel) | is_unsampled(lists, unsampled))
    irrelevant = np.bincount(lists.topic[is_irrelevant], minlength=len(in_base))
    most = np.minimum(irrelevant, in_base) if divisor == "min" else in_base
    above = np.minimum(hits.irrelevant, in_base[hits.topic])
    preferred = np.where(above > 0, 1 - above / most[hits.topic], 1.0)
    return _summed(lists, hits.entry, preferred) / in_base


@measure("infAP", counts="relevant", whole=True)
def inferred_average_precision(
    lists: RankedLists,
    cutoff: None,
    *,
    rel: float | None = None,
    unsampled: str | float = "negative",
) -> FloatArray:
    """Return 1/R · Σ (1/i + (i − 1)/i · c/(i − 1) · (r + ε)/(r + n + 2ε)), as in trec_eval.

    The sum is over the relevant documents that are retrieved, each at its rank i [Yilmaz & Aslam, CIKM 2006].
    Above rank i, r documents were judged relevant, n were judged not relevant, and u were pooled but not
    sampled. c is r + n + u. Documents outside the pool count as not relevant. ε is .00001,
    and the term of rank 1 is 1. If the whole pool was judged, infAP differs from AP only by ε.
    """
    hits = _RelevantHits.of(lists, rel, unsampled)
    above = lists.rank[hits.entry] - 1.0
    sampled = hits.relevant + hits.irrelevant
    # The order of the operations is trec_eval's, so that the last bits are the same.
    share = (hits.relevant + EPSILON) / (sampled + 2 * EPSILON)
    pooled = (sampled + hits.unsampled) / np.maximum(above, 1)
    expected = 1 / (above + 1) + (above / (above + 1)) * pooled * share
    return _summed(lists, hits.entry, np.where(above == 0, 1.0, expected)) / lists.recall(rel)


@checked
@measure("RBP_residual", counts="documents", lower_is_better=True)
def residual_of_rank_biased_precision(
    lists: RankedLists,
    cutoff: int | None,
    *,
    p: float = 0.8,
    unsampled: str | float = "negative",
    topics: Topics = "relevant",
) -> FloatArray:
    """Return (1 − p)·Σ p^(i−1) over all ranks i that hold no judged document [Moffat & Zobel, TOIS 2008].

    These are the ranks of unjudged documents and all ranks after the list or after the cut-off. If all
    documents were judged, RBP would rise by at most the residual, and could not fall. Example: in a list of
    three documents, the second is unjudged. With p = .8, the residual is .2·.8 + .8³ = .672.
    """
    is_judged = ~is_unsampled(lists, unsampled)[lists.document]
    if cutoff is not None:
        is_judged &= lists.rank <= cutoff
    entry = np.flatnonzero(is_judged)
    cell, rank = lists.cell[entry], lists.rank[entry]
    previous = np.where(np.diff(cell, prepend=-1) > 0, 0, np.roll(rank, 1))
    last = np.zeros(lists.length.size, dtype=np.int64)
    last[cell] = rank  # ranks ascend within a list, so its last rank stays
    after: FloatArray = np.power(p, last).reshape(lists.shape)
    # A gap of m ranks after the judged rank a weighs p^a − p^(a + m).
    gap = np.flatnonzero(rank - 1 > previous)
    ranks = np.arange(rank.max(initial=0) + 1)
    size = rank[gap] - 1 - previous[gap]
    weights = np.power(p, ranks)[previous[gap]] * -np.expm1(ranks * np.log(p))[size]
    return after + _summed(lists, entry[gap], weights)


@dataclass(frozen=True, eq=False)
class _RelevantHits:
    """The relevant documents that were retrieved, and how many documents of each kind are above them.

    For each of these documents, `entry` is its index among the entries of `RankedLists`, and `topic` is its
    topic. `relevant`, `irrelevant` and `unsampled` are the numbers of documents of these kinds that are above
    the document in its list.
    """

    entry: IntArray
    topic: IntArray
    relevant: IntArray
    irrelevant: IntArray
    unsampled: IntArray

    @classmethod
    def of(cls, lists: RankedLists, rel: float | None, unsampled: str | float) -> "_RelevantHits":
        not_sampled = is_unsampled(lists, unsampled)
        entry = np.flatnonzero((is_relevant(lists.level, rel) & ~not_sampled)[lists.document])
        cell = lists.cell[entry]
        start = np.searchsorted(lists.cell, np.arange(lists.length.size))[cell]

        def above(kind: BoolArray) -> IntArray:
            if not kind.any():
                return np.zeros_like(entry)
            of_kind = np.flatnonzero(kind[lists.document])
            number: IntArray = np.searchsorted(of_kind, entry) - np.searchsorted(of_kind, start)
            return number

        relevant, unsampled_above = places_in(cell), above(not_sampled)
        irrelevant = entry - start - relevant - unsampled_above - above(np.isnan(lists.level))
        return cls(entry, cell % lists.shape[1], relevant, irrelevant, unsampled_above)


def is_unsampled(lists: RankedLists, unsampled: str | float) -> BoolArray:
    """Return, for each document in the judgments, whether it was pooled but not sampled (documents,)."""
    if lists.code is None or unsampled == "none":
        return np.zeros(lists.level.shape, dtype=np.bool_)
    marked: BoolArray = lists.code < 0 if unsampled == "negative" else lists.code == unsampled
    return marked


def _counted(lists: RankedLists, counted: BoolArray) -> IntArray:
    """Return how many entries of each list are marked in `counted` (runs, topics)."""
    return np.bincount(lists.cell[counted], minlength=lists.length.size).reshape(lists.shape)


def _summed(lists: RankedLists, entries: IntArray, values: FloatArray) -> FloatArray:
    """Return the sum of `values` over each list (runs, topics).

    `values` has one value for each of the `entries`. Values are added in the order of ranks.
    """
    sums: FloatArray = np.bincount(lists.cell[entries], values, lists.length.size).astype(np.float64)
    return sums.reshape(lists.shape)

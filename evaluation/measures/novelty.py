"""Measures of lists that should cover the subtopics of a topic without repeating them, as in ndeval.

A document's gain at rank i is g[i] = Σ (1 − α)^c over the subtopics to which it is relevant. c is the number
of documents above it that are relevant to the same subtopic. M is the number of subtopics to which any
document of the topic is relevant. A topic in which M is 0 has no value. All these measures raise `InputError`
if documents were not judged by subtopic.

Some measures are divided by the value of the ideal list. It is built from the recall base, rank by rank. Each
rank gets the document with the largest gain. If several documents have this gain, the rank gets the document
with the largest id. Other measures are divided by the most that any documents could give: at each rank, a
document that is relevant to all M subtopics, so that g[i] is M·(1 − α)^(i−1).

Example: document x is relevant to the subtopics 1 and 2, y to 1, z to 3, and α = .5. The list ⟨x,y,z⟩ has the
gains 2, .5, 1, the ideal ⟨x,z,y⟩ has 2, 1, .5, and the most is 3, 1.5, .75.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from .definitions import measure
from .gain_lists import discounts, share
from .hits import places_in
from .lists import RankedLists, at_rank, is_relevant


@measure("alpha_nDCG", counts="relevant", by_subtopic=True)
def alpha_ndcg(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return Σ_{i≤k} g[i]/log2(i + 1), divided by the ideal list's value [Clarke et al., SIGIR 2008].

    Example: for the list above, alpha_nDCG@3 is (2 + .5/1.585 + 1/2)/(2 + 1/1.585 + .5/2) = .977.
    """
    covered = _Covered.of(lists, cutoff, rel, "alpha_nDCG")
    return covered.by_ideal(alpha, discounts(covered.depth, "log2"))


@measure("alpha_DCG", counts="relevant", by_subtopic=True)
def alpha_dcg(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return Σ_{i≤k} g[i]/log2(i + 1), divided by the most that it could be.

    Example: for the list above, alpha_DCG@3 is (2 + .5/1.585 + 1/2)/(3 + 1.5/1.585 + .75/2) = .652.
    """
    covered = _Covered.of(lists, cutoff, rel, "alpha_DCG")
    return covered.by_most(alpha, discounts(covered.depth, "log2"))


@measure("nERR_IA", counts="relevant", by_subtopic=True)
def normalised_intent_aware_err(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return Σ_{i≤k} g[i]/i, divided by the ideal list's value [Chapelle et al., CIKM 2009].

    Example: for the list above, nERR_IA@3 is (2 + .5/2 + 1/3)/(2 + 1/2 + .5/3) = .969.
    """
    covered = _Covered.of(lists, cutoff, rel, "nERR_IA")
    return covered.by_ideal(alpha, discounts(covered.depth, "rank"))


@measure("ERR_IA", counts="relevant", by_subtopic=True)
def intent_aware_err(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return Σ_{i≤k} g[i]/i, divided by the most that it could be.

    This is the mean over the subtopics of ERR with the stopping probability α, divided by its highest value.
    Example: for the list above, ERR_IA@3 is (2 + .5/2 + 1/3)/(3 + 1.5/2 + .75/3) = .646.
    """
    covered = _Covered.of(lists, cutoff, rel, "ERR_IA")
    return covered.by_most(alpha, discounts(covered.depth, "rank"))


@measure("NRBP", counts="relevant", by_subtopic=True)
def novelty_and_rank_biased_precision(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, p: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return (1 − (1 − α)·p)/M · Σ g[i]·p^(i−1), novelty- and rank-biased precision.

    The measure comes from Clarke, Kolla & Vechtomova (ICTIR 2009). `p` is the probability that the reader
    goes on to the next rank, which the paper and ndeval call β. Example: for the list above, NRBP is (1 −
    .25)/3 · (2 + .5·.5 + .25·1) = .625.
    """
    covered = _Covered.of(lists, cutoff, rel, "NRBP")
    most = covered.subtopics / (1 - (1 - alpha) * p)
    return share(covered.total(alpha, _persistence(p, covered.depth)), np.broadcast_to(most, lists.shape))


@measure("nNRBP", counts="relevant", by_subtopic=True)
def normalised_novelty_and_rank_biased_precision(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, p: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return Σ p^(i−1)·g[i], divided by the ideal list's value. `p` is the same as in NRBP.

    Example: for the list above, nNRBP is (2 + .5·.5 + .25·1)/(2 + .5·1 + .25·.5) = .952.
    """
    covered = _Covered.of(lists, cutoff, rel, "nNRBP")
    return covered.by_ideal(alpha, _persistence(p, covered.depth))


@measure("P_IA", counts="relevant", by_subtopic=True)
def intent_aware_precision(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return the mean of P@k over the M subtopics [Agrawal et al., WSDM 2009].

    Example: in the list above, two of three documents are relevant to subtopic 1, one to subtopic 2, and one
    to subtopic 3. P_IA@3 is (2/3 + 1/3 + 1/3)/3 = .444.
    """
    covered = _Covered.of(lists, cutoff, rel, "P_IA")
    return covered.mean_over_subtopics(np.ones(len(covered.cell))) / lists.cutoffs(cutoff, rel)


@measure("AP_IA", counts="relevant", by_subtopic=True)
def intent_aware_average_precision(
    lists: RankedLists, cutoff: int | None, *, rel: float | None = None
) -> FloatArray:
    """Return the mean of AP over the M subtopics, which ndeval calls MAP-IA [Agrawal et al., WSDM 2009].

    Example: in the list above, AP is (1/1 + 2/2)/2 = 1 for subtopic 1, 1/1 for subtopic 2, and 1/3 for the
    third. AP_IA is (1 + 1 + 1/3)/3 = .778.
    """
    covered = _Covered.of(lists, cutoff, rel, "AP_IA")
    in_base = np.bincount(covered.pair_subtopic)[covered.subtopic]
    return covered.mean_over_subtopics((covered.seen + 1) / covered.rank / in_base)


@measure("StRecall", counts="relevant", by_subtopic=True)
def subtopic_recall(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """Return the share of the M subtopics to which a document at the ranks 1 … k is relevant.

    The source is Zhai, Cohen & Lafferty (SIGIR 2003); ndeval calls it strec. Example: in the list above,
    StRecall@2 is 2/3.
    """
    covered = _Covered.of(lists, cutoff, rel, "StRecall")
    return covered.mean_over_subtopics((covered.seen == 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class _Covered:
    """The subtopics of retrieved documents, with an entry for each document and subtopic, rank by rank.

    `cell`, `rank` and `subtopic` are the list, rank and subtopic of each entry. `seen` is the number of
    documents above it that are relevant to the same subtopic. `pair_document` and `pair_subtopic` are all
    pairs of a document and a subtopic to which it is relevant, retrieved or not, sorted by document.
    `subtopics` (topics,) is M, and `cutoffs` (runs, topics) is k.
    """

    lists: RankedLists
    cutoffs: IntArray
    pair_document: IntArray
    pair_subtopic: IntArray
    subtopics: IntArray
    cell: IntArray
    rank: IntArray
    subtopic: IntArray
    seen: IntArray

    @classmethod
    def of(cls, lists: RankedLists, cutoff: int | None, rel: float | None, name: str) -> "_Covered":
        """Return what the ranks 1 … k cover. Raise `InputError` if documents were not judged by subtopic."""
        if lists.subtopics is None:
            raise InputError(
                "subtopics-missing",
                "{measure} needs judgments by subtopic; write the subtopic of each line in the second column "
                "of the qrels, or pass subtopic_id",
                measure=name,
            )
        document, subtopic, value = lists.subtopics
        relevant = is_relevant(value, rel)
        document, subtopic = document[relevant], subtopic[relevant]
        _, first = np.unique(subtopic, return_index=True)  # topics share no subtopic
        subtopics = np.bincount(lists.topic[document[first]], minlength=len(lists.topics))
        within = slice(None) if cutoff is None else np.flatnonzero(lists.rank <= cutoff)
        starts = np.searchsorted(document, np.arange(len(lists.topic) + 1))
        retrieved = lists.document[within]
        size = np.diff(starts)[retrieved]
        entry = np.repeat(np.arange(len(size)), size)
        cell, rank = lists.cell[within][entry], lists.rank[within][entry]
        covered = subtopic[_ranges(starts[retrieved], size)]
        seen = _seen(cell * (subtopic.max(initial=0) + 1) + covered)
        cutoffs = lists.cutoffs(cutoff, rel)
        return cls(lists, cutoffs, document, subtopic, subtopics, cell, rank, covered, seen)

    @property
    def depth(self) -> int:
        """The number of ranks that a list or its ideal list can have."""
        return int(self.cutoffs.max(initial=1))

    def total(self, alpha: float, weights: FloatArray) -> FloatArray:
        """Return Σ g[i]·weights[i] of every list (runs, topics)."""
        gains = _powers(1 - alpha, int(self.seen.max(initial=0)))[self.seen]
        return self._sums(gains * weights[self.rank - 1])

    def by_ideal(self, alpha: float, weights: FloatArray) -> FloatArray:
        """Return Σ g[i]·weights[i] of every list, divided by the same sum of its ideal list."""
        ideal = _ideal(self.lists, self.pair_document, self.pair_subtopic, self.depth, alpha)
        curve = np.cumsum(ideal * weights[: ideal.shape[-1]], axis=-1)
        best = at_rank(np.broadcast_to(curve, (*self.lists.shape, curve.shape[-1])), self.cutoffs)
        return share(self.total(alpha, weights), best)

    def by_most(self, alpha: float, weights: FloatArray) -> FloatArray:
        """Return Σ g[i]·weights[i] of every list, divided by Σ M·(1 − α)^(i−1)·weights[i] down to rank k."""
        most = np.cumsum(_powers(1 - alpha, len(weights) - 1) * weights)
        return share(self.total(alpha, weights), self.subtopics * most[self.cutoffs - 1])

    def mean_over_subtopics(self, values: FloatArray) -> FloatArray:
        """Return the sum of the values of each list's entries, divided by M (runs, topics)."""
        return share(self._sums(values), np.broadcast_to(self.subtopics, self.lists.shape).astype(np.float64))

    def _sums(self, values: FloatArray) -> FloatArray:
        sums: FloatArray = np.bincount(self.cell, values, self.lists.length.size).astype(np.float64)
        return sums.reshape(self.lists.shape)


def _seen(list_and_subtopic: IntArray) -> IntArray:
    """Return, for each entry, how many entries with the same number are above it."""
    seen = np.empty(len(list_and_subtopic), dtype=np.int64)
    order = np.argsort(list_and_subtopic, kind="stable")  # each group stays in the order of ranks
    seen[order] = places_in(list_and_subtopic[order])
    return seen


def _persistence(p: float, depth: int) -> FloatArray:
    """Return p^(i−1) for the ranks 1 … depth."""
    weights: FloatArray = np.power(p, np.arange(float(depth)))
    return weights


def _ideal(
    lists: RankedLists, pair_document: IntArray, pair_subtopic: IntArray, depth: int, alpha: float
) -> FloatArray:
    """Return the gains of the ideal lists (topics, ranks), down to rank `depth` at most.

    The result has fewer ranks if all ideal lists are shorter. The lists of all topics are built together,
    rank by rank.
    """
    document, number = np.unique(pair_document, return_inverse=True)
    topic = lists.topic[document]
    present, first = np.unique(topic, return_index=True)
    sizes = np.diff(np.append(first, len(topic)))
    place = np.repeat(np.arange(len(present)), sizes)  # the index of each document's topic in `present`
    starts = np.searchsorted(number, np.arange(len(document) + 1))
    depth = min(depth, int(sizes.max(initial=0)))
    ideal = np.zeros((len(lists.topics), max(depth, 1)))
    worth = np.ones(int(pair_subtopic.max(initial=0)) + 1)
    is_left = np.ones(len(document), dtype=np.bool_)
    for step in range(depth):
        gain = np.where(is_left, np.bincount(number, worth[pair_subtopic], len(document)), -1.0)
        largest = np.maximum.reduceat(gain, first)
        ideal[present, step] = np.maximum(largest, 0)
        best = np.flatnonzero(gain == largest[place])
        chosen = np.zeros(len(present), dtype=np.int64)
        chosen[place[best]] = best  # documents ascend, so the last assignment is the largest id
        chosen = chosen[largest >= 0]
        is_left[chosen] = False
        worth[pair_subtopic[_ranges(starts[chosen], starts[chosen + 1] - starts[chosen])]] *= 1 - alpha
    return ideal


def _powers(base: float, most: int) -> FloatArray:
    """Return base⁰ … base^most.

    Each power is the previous power times `base`, so that it is rounded in the same way as in `_ideal`.
    """
    return np.cumprod(np.concatenate([[1.0], np.full(most, base)]))


def _ranges(start: IntArray, size: IntArray) -> IntArray:
    """Return the numbers of several ranges, one range after the other.

    Range i begins at `start[i]` and has `size[i]` numbers.
    """
    before = np.cumsum(size) - size
    ranges: IntArray = np.arange(size.sum()) + np.repeat(start - before, size)
    return ranges

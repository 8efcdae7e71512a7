"""Measures of lists that should cover the subtopics of a topic without repeating them."""

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from .definitions import measure
from .gain_lists import discounts, share
from .hits import places_in
from .lists import RankedLists, SubtopicJudgments, at_rank, is_relevant


@measure("alpha_nDCG", counts="relevant", by_subtopic=True)
def alpha_ndcg(
    lists: RankedLists, cutoff: int | None, *, alpha: float = 0.5, rel: float | None = None
) -> FloatArray:
    """Return α-DCG divided by the ideal list's α-DCG [Clarke et al., SIGIR 2008], as ndeval computes it.

    α-DCG@k is Σ_{i≤k} g[i]/log2(i + 1). A document's gain g[i] is Σ (1 − α)^c over the subtopics to which it
    is relevant. c is the number of documents above it that are relevant to the same subtopic. The ideal list
    is built from the recall base, rank by rank. Each rank gets the document with the largest gain. If several
    documents have this gain, the rank gets the document with the largest id. Raise `InputError` if documents
    were not judged by subtopic.

    Example: document x is relevant to the subtopics 1 and 2, y to 1, z to 3, and α = .5. The list ⟨x,y,z⟩ has
    the gains 2, .5, 1. The ideal ⟨x,z,y⟩ has 2, 1, .5, so alpha_nDCG@3 is 2.815/2.881 = .977.
    """
    if lists.subtopics is None:
        raise InputError(
            "subtopics-missing",
            "alpha_nDCG needs judgments by subtopic; write the subtopic of each line in the second column of "
            "the qrels, or pass subtopic_id",
        )
    document, subtopic, value = lists.subtopics
    relevant = is_relevant(value, rel)
    pairs = SubtopicJudgments(document[relevant], subtopic[relevant], value[relevant])
    retrieved = _alpha_dcg(lists, pairs, cutoff, alpha)
    cutoffs = lists.cutoffs(cutoff, rel)
    ideal = np.cumsum(_ideal(lists, pairs, int(cutoffs.max(initial=1)), alpha), axis=-1)
    return share(retrieved, at_rank(np.broadcast_to(ideal, (*lists.shape, ideal.shape[-1])), cutoffs))


def _alpha_dcg(lists: RankedLists, pairs: SubtopicJudgments, cutoff: int | None, alpha: float) -> FloatArray:
    """Return α-DCG of every list (runs, topics)."""
    starts = np.searchsorted(pairs.document, np.arange(len(lists.topic) + 1))
    within = slice(None) if cutoff is None else np.flatnonzero(lists.rank <= cutoff)
    document = lists.document[within]
    size = np.diff(starts)[document]
    entry = np.repeat(np.arange(len(size)), size)  # an entry for each subtopic of each retrieved document
    cell, rank = lists.cell[within][entry], lists.rank[within][entry]
    subtopic = pairs.subtopic[_ranges(starts[document], size)]
    seen = np.empty(len(entry), dtype=np.int64)
    list_and_subtopic = cell * (subtopic.max(initial=0) + 1) + subtopic
    order = np.argsort(list_and_subtopic, kind="stable")  # each group stays in the order of ranks
    seen[order] = places_in(list_and_subtopic[order])
    gains = _powers(1 - alpha, int(seen.max(initial=0)))[seen]
    discounted = gains * discounts(int(rank.max(initial=1)), "log2")[rank - 1]
    sums: FloatArray = np.bincount(cell, discounted, lists.length.size).astype(np.float64)
    return sums.reshape(lists.shape)


def _ideal(lists: RankedLists, pairs: SubtopicJudgments, depth: int, alpha: float) -> FloatArray:
    """Return the discounted gains of the ideal lists (topics, ranks), down to rank `depth` at most.

    The result has fewer ranks if all ideal lists are shorter. The lists of all topics are built together,
    rank by rank.
    """
    document, number = np.unique(pairs.document, return_inverse=True)
    topic = lists.topic[document]
    present, first = np.unique(topic, return_index=True)
    sizes = np.diff(np.append(first, len(topic)))
    place = np.repeat(np.arange(len(present)), sizes)  # the index of each document's topic in `present`
    starts = np.searchsorted(number, np.arange(len(document) + 1))
    depth = min(depth, int(sizes.max(initial=0)))
    ideal = np.zeros((len(lists.topics), max(depth, 1)))
    worth = np.ones(int(pairs.subtopic.max(initial=0)) + 1)
    is_left = np.ones(len(document), dtype=np.bool_)
    for step in range(depth):
        gain = np.where(is_left, np.bincount(number, worth[pairs.subtopic], len(document)), -1.0)
        largest = np.maximum.reduceat(gain, first)
        ideal[present, step] = np.maximum(largest, 0)
        best = np.flatnonzero(gain == largest[place])
        chosen = np.zeros(len(present), dtype=np.int64)
        chosen[place[best]] = best  # documents ascend, so the last assignment is the largest id
        chosen = chosen[largest >= 0]
        is_left[chosen] = False
        worth[pairs.subtopic[_ranges(starts[chosen], starts[chosen + 1] - starts[chosen])]] *= 1 - alpha
    return ideal * discounts(ideal.shape[-1], "log2")


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

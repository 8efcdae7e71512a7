"""Measures of the ranks of the relevant documents: normalised recall and search lengths.

Documents with equal raw scores (before ties are broken) form a level and have no order within it. All
documents of the collection that a run does not retrieve form one last level. So `N=`, the number of documents
in the collection, is needed if a relevant document is not retrieved. Only whole lists are measured, because a
cut-off within a level would have no meaning. If a run has no list for a topic, all documents form one level.

Example: N = 10, L = 4, R = 2. One relevant document is at rank 2. The other is not retrieved, so its mean
rank is 4 + (10 − 4 + 1)/2 = 7.5. ASL is (2 + 7.5)/2 = 4.75, and NR is 1 − (9.5 − (1 + 2))/(2·(10 − 2)) =
.594.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, IntArray
from ..options import checked
from .collection_size import collection_size, irrelevant_documents
from .definitions import FROM_ZERO, measure
from .lists import RankedLists, is_relevant
from .parameters import Count


@measure("NR", counts="relevant", whole=True)
def normalised_recall(
    lists: RankedLists,
    cutoff: None,
    *,
    N: float | None = None,  # noqa: N803 (the usual symbol)
    rel: float | None = None,
) -> FloatArray:
    """Return 1 − (Σ rank_j − Σ j) / (R·(N − R)), j = 1 … R [Rocchio 1966].

    The result is 1 for the best list and 0 for the worst. rank_j is the mean rank of the level of the j-th
    relevant document. Raise `InputError` if N is missing or too small.
    """
    irrelevant = irrelevant_documents(lists, N, rel, "NR")
    in_base = lists.recall(rel)
    best = in_base * (in_base + 1) / 2
    ranks = _sum_of_ranks(_Retrieved.of(lists, rel), irrelevant + in_base)
    return 1 - (ranks - best) / (in_base * irrelevant)


@measure("ASL", counts="relevant", whole=True, lower_is_better=True, bounds=FROM_ZERO)
def average_search_length(
    lists: RankedLists,
    cutoff: None,
    *,
    N: float | None = None,  # noqa: N803 (the usual symbol)
    rel: float | None = None,
) -> FloatArray:
    """Return 1/R · Σ rank_j, the mean rank of the relevant documents [Losee 1998].

    Lower is better. Raise `InputError` if N is too small, or if a relevant document is not retrieved and N is
    not given.
    """
    retrieved = _Retrieved.of(lists, rel)
    size = collection_size(lists, N, retrieved.missing, "ASL")
    return _sum_of_ranks(retrieved, size) / lists.recall(rel)


@checked
@measure("ESL", counts="relevant", whole=True, lower_is_better=True, bounds=FROM_ZERO)
def expected_search_length(
    lists: RankedLists,
    cutoff: None,
    *,
    q: float = 1,
    count: Count = "irrelevant",
    N: float | None = None,  # noqa: N803 (the usual symbol)
    rel: float | None = None,
) -> FloatArray:
    """Return the number of irrelevant documents before the q-th relevant document [Cooper 1968].

    Lower is better. The result is the number of irrelevant documents above the level of the q-th relevant
    document, plus i·s/(r + 1) for that level. That level has r relevant and i irrelevant documents in any
    order, and s of its relevant documents are still needed. `count="all"` also counts the q relevant
    documents. A topic with R < q has no value. Raise `InputError` if N is too small, or if the q-th relevant
    document is not retrieved and N is not given.

    Example: for q = 2 and the levels {1 relevant, 2 irrelevant} and {2 relevant, 2 irrelevant}, ESL is 2 +
    2·1/(2 + 1) = 2.667, or 4.667 with `count="all"`.
    """
    retrieved = _Retrieved.of(lists, rel)
    beyond = (retrieved.number < q) & (lists.recall(rel) >= q)
    length = _beyond(retrieved, q, collection_size(lists, N, retrieved.missing * beyond, "ESL"))
    cell, irrelevant = _reached(retrieved, int(q))
    length.flat[cell] = irrelevant
    return length + q if count == "all" else length


@dataclass(frozen=True, eq=False)
class _Retrieved:
    """The relevant documents that were retrieved, list by list and rank by rank.

    For each document, `cell` is its list, and `above` is the number of documents on better levels of this
    list. `tied` is the number of documents on the same level, including the document itself. `number` (runs,
    topics) is the number of relevant documents that each list retrieves. `missing` (runs, topics) is the
    number of relevant documents that each list does not retrieve.
    """

    lists: RankedLists
    cell: IntArray
    above: IntArray
    tied: IntArray
    number: IntArray
    missing: IntArray

    @classmethod
    def of(cls, lists: RankedLists, rel: float | None) -> "_Retrieved":
        relevant = np.flatnonzero(is_relevant(lists.level, rel)[lists.document])
        number = np.bincount(lists.cell[relevant], minlength=lists.length.size).reshape(lists.shape)
        missing = lists.recall(rel) - number
        above, tied = lists.levels()
        return cls(lists, lists.cell[relevant], above[relevant], tied[relevant], number, missing)


def _sum_of_ranks(retrieved: _Retrieved, size: float | IntArray) -> FloatArray:
    """Return Σ rank_j over the relevant documents (runs, topics). `size` is N.

    The ranks are multiples of ½, so their sum is exact in any order.
    """
    lists = retrieved.lists
    ranks = retrieved.above + (retrieved.tied + 1) / 2
    retrieved_ranks = (
        np.bincount(retrieved.cell, ranks, lists.length.size).astype(np.float64).reshape(lists.shape)
    )
    # The mean rank of the last level is L + (N − L + 1)/2.
    total: FloatArray = retrieved_ranks + retrieved.missing * (lists.length + size + 1) / 2
    return total


def _reached(retrieved: _Retrieved, q: int) -> tuple[IntArray, FloatArray]:
    """Return the indexes (`cell`) of the lists that retrieve q or more relevant documents.

    Also return how many irrelevant documents come before the q-th relevant document in each of these lists.
    """
    # Ranks can come from scores in 32 bits, but levels come from scores in 64 bits. So the orders can differ.
    place = retrieved.cell * (retrieved.lists.length.max(initial=0) + 1) + retrieved.above
    order = np.argsort(place, kind="stable")
    cell, above, tied = (column[order] for column in (retrieved.cell, retrieved.above, retrieved.tied))
    first = np.r_[True, (np.diff(cell) != 0) | (np.diff(above) != 0)][: len(cell)]
    starts = np.flatnonzero(first)  # where each level's relevant documents begin
    sizes = np.diff(np.r_[starts, len(cell)])
    numbers = retrieved.number.ravel()
    reaching = np.flatnonzero(numbers >= q)
    begin = (np.cumsum(numbers) - numbers)[reaching]
    at = begin + q - 1
    level = np.cumsum(first)[at] - 1
    before, relevant = starts[level] - begin, sizes[level]
    on_level = tied[at] - relevant
    return reaching, above[at] - before + on_level * (q - before) / (relevant + 1)


def _beyond(retrieved: _Retrieved, q: float, size: float) -> FloatArray:
    """Return the number of irrelevant documents before a q-th relevant document that is not retrieved.

    The shape is (runs, topics), and `size` is N. The value has no meaning if the q-th relevant document is
    retrieved, or if there are fewer than q relevant documents.
    """
    lists, number, missing = retrieved.lists, retrieved.number, retrieved.missing
    on_level = size - lists.length - missing
    length: FloatArray = lists.length - number + on_level * (q - number) / (missing + 1)
    return length

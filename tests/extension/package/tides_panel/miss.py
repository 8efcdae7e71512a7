from evaluation.arrays import FloatArray
from evaluation.measures.definitions import measure
from evaluation.measures.lists import RankedLists
from evaluation.measures.precision import relevant_hits


@measure("Miss", counts="relevant")
def miss_rate(lists: RankedLists, cutoff: int | None, *, rel: float | None = None) -> FloatArray:
    """1 − count[k] / R, the share of the relevant documents that are not retrieved; lower is better."""
    return 1 - relevant_hits(lists, cutoff, rel).count() / lists.recall(rel)

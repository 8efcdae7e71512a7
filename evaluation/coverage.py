"""How many of the documents at the top of the lists are judged."""

from typing import Final

import numpy as np

from .arrays import FloatArray
from .measures import RankedLists

FEW_JUDGED: Final = 0.8
"""If the share of judged documents at the top of the lists is below this, too few documents are judged.

Scores then show how many documents of a list are judged, as much as how good these documents are. The library
warns about such scores. To compare rankings with known grades, it uses simulated systems instead of the runs.
"""


def judged_share(lists: RankedLists, depth: int) -> float | None:
    """Return the share of judged documents among the documents at ranks 1 to `depth` of all lists.

    The result is None if no list has a document.
    """
    judged, retrieved = judged_and_retrieved(lists, depth)
    return judged / retrieved if retrieved else None


def judged_and_retrieved(lists: RankedLists, depth: int) -> tuple[int, int]:
    """Return how many documents at ranks 1 to `depth` of all lists are judged, and how many there are."""
    return int(np.count_nonzero(lists.rank <= depth)), int(np.minimum(lists.length, depth).sum())


def judged_shares(lists: RankedLists, depth: int | None) -> FloatArray:
    """Return each run's share of judged documents at ranks 1 to `depth`, or in its whole lists (runs,).

    The share of a run without a document is NaN.
    """
    length = lists.length if depth is None else np.minimum(lists.length, depth)
    run = lists.cell // max(1, len(lists.topics))
    counted = run if depth is None else run[lists.rank <= depth]
    number, retrieved = np.bincount(counted, minlength=len(lists.runs)), length.sum(axis=1)
    shares = np.full(len(number), np.nan)
    np.divide(number, retrieved, out=shares, where=retrieved > 0)
    return shares

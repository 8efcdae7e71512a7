"""Compatibility: how similar a run's list is to the ideal list that is most similar to it.

An ideal list has the relevant documents by descending gain. Documents with equal gains can be in any order,
so the order of the run decides. Only the order of the gains matters, as for preferences.
"""

from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from ..rank_weights import weights_from
from .definitions import measure
from .hits import places_in
from .lists import RankedLists

ROUNDING: Final = 1e-9
"""Gains that differ by a smaller share than this are equal: computed gains have rounding errors."""


@measure("Compat", counts="gain", whole_base=True)
def compatibility(lists: RankedLists, cutoff: int | None, *, p: float = 0.95) -> FloatArray:
    """Return the rank-biased overlap of the list and the nearest ideal list, divided by its highest value.

    The measure comes from Clarke, Vtyurina & Smucker (TOIS 2021). Rank-biased overlap is (1 − p) · Σ_d
    p^(d−1)·c[d]/d, where c[d] is the number of documents among the first d of both lists [Webber et al., TOIS
    2010]. The sum has no end: after both lists have ended, c stays constant. The highest value is that of the
    ideal list itself. With a cut-off k, the run's list and the best list end at rank k.

    Example: the gains are a 2, b 1, c 1, and the list is ⟨c,a,x⟩. The nearest ideal list is ⟨a,c,b⟩. Both
    lists have c and a at depth 2, so c is 0, 2, 2 …. With p = .5, the overlap is 2·(ln 2 − .5) = .386. The
    ideal list has 1, 2, 3, 3 … and so ln 2 + (ln 2 − .5) + (ln 2 − .625) = .954. Compat is .386/.954 = .405.
    """
    gain = lists.gains()
    above, group = _places(lists.topic, gain)
    entry = np.flatnonzero(gain[lists.document] > 0)
    if cutoff is not None:
        entry = entry[lists.rank[entry] <= cutoff]
    cell, document = lists.cell[entry], lists.document[entry]
    tie = cell * (group.max(initial=0) + 1) + group[document]
    order = np.argsort(tie, kind="stable")  # each tie stays in the order of the run
    place = np.empty_like(tie)
    place[order] = places_in(tie[order])
    depth = np.maximum(lists.rank[entry], above[document] + place + 1)
    sizes = np.bincount(lists.topic[gain > 0], minlength=len(lists.topics))
    weights = weights_from(p, max(int(depth.max(initial=1)), int(sizes.max(initial=1))))
    overlap = np.bincount(cell, weights[depth - 1], lists.length.size).reshape(lists.shape)
    best: FloatArray = np.append(0.0, np.cumsum(weights))[
        sizes if cutoff is None else np.minimum(sizes, cutoff)
    ]
    return np.asarray(overlap / best, dtype=np.float64)


def _places(topic: IntArray, gain: FloatArray) -> tuple[IntArray, IntArray]:
    """Return how many documents of its topic have a larger gain than each document, and its tie's number.

    A tie consists of the documents of a topic that have the same gain, apart from rounding. Both arrays have
    the shape (documents,). Documents without a gain share the numbers of other documents, and are not used.
    """
    order = np.lexsort((-gain, topic))
    falls = -np.diff(gain[order]) > ROUNDING * gain[order][:-1]
    is_first = np.r_[True, (np.diff(topic[order]) != 0) | falls][: len(order)]
    number = np.cumsum(is_first) - 1
    above, group = np.empty_like(topic), np.empty_like(topic)
    above[order] = places_in(topic[order])[np.flatnonzero(is_first)][number]
    group[order] = number
    return above, group

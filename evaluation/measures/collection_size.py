"""The number of documents in the collection, `N=`, which cannot be below the number of known documents."""

import numpy as np

from ..arrays import BoolArray, IntArray
from ..errors import InputError, shown
from .lists import RankedLists


def irrelevant_documents(lists: RankedLists, size: float | None, rel: float | None, measure: str) -> IntArray:
    """Return N − R, the number of irrelevant documents in the collection, for each topic (topics,).

    `size` is N. Raise `InputError` if N is missing. Also raise `InputError` if, for any topic, N leaves no
    irrelevant documents, or a run and the judgments together contain more than N documents.
    """
    if size is None:
        raise InputError(
            "collection-size-missing",
            "{measure} needs N, the number of documents in the collection; write it like {measure}(N=1400)",
            measure=measure,
        )
    _refuse_small(lists, size, measure)
    irrelevant: IntArray = int(size) - lists.recall(rel)
    if (place := _first(irrelevant <= 0)) is not None:
        raise InputError(
            "collection-all-relevant",
            "N={size} in {measure} is too small: topic {topic} has {size} relevant documents, so no document "
            "would be irrelevant; give the number of documents in the collection",
            size=str(size),
            measure=measure,
            topic=shown(lists.topics[place[0]]),
        )
    return irrelevant


def collection_size(lists: RankedLists, size: float | None, missing: IntArray, measure: str) -> float:
    """Return the number N of documents in the collection, or 0 if `size` is None and N is not needed.

    `size` is N, if it is known. `missing` (runs, topics) is the number of relevant documents that each list
    does not retrieve. N is needed if any of these numbers is above 0. Raise `InputError` if N is needed but
    `size` is None, and if N is too small.
    """
    if size is not None:
        _refuse_small(lists, size, measure)
        return size
    if (place := _first(missing > 0)) is not None:
        raise InputError(
            "collection-size-needed",
            "{measure} needs N, the number of documents in the collection, because run {run} does not "
            "retrieve all relevant documents of topic {topic} (missing: {number}); write it like "
            "{measure}(N=1400)",
            measure=measure,
            run=shown(lists.runs[place[0]]),
            topic=shown(lists.topics[place[1]]),
            number=int(missing[place]),
        )
    return 0


def _refuse_small(lists: RankedLists, size: float, measure: str) -> None:
    """Raise `InputError` if, for any topic, a run and the judgments together have more than `size` documents.

    A document that is both in the run and judged counts once.
    """
    judged = np.bincount(lists.topic, minlength=len(lists.topics))
    both = np.bincount(lists.cell, minlength=lists.length.size).reshape(lists.shape)
    known = lists.length - both + judged
    if (place := _first(known > size)) is not None:
        raise InputError(
            "collection-too-small",
            "N={size} in {measure} is too small: run {run} and the judgments of topic {topic} contain "
            "more documents ({number}); give the number of documents in the collection",
            size=str(size),
            measure=measure,
            run=shown(lists.runs[place[0]]),
            topic=shown(lists.topics[place[1]]),
            number=int(known[place]),
        )


def _first(at_fault: BoolArray) -> tuple[int, ...] | None:
    """Return the indexes of the first true element, one for each axis, or None if no element is true."""
    places = np.argwhere(at_fault)
    return tuple(int(axis) for axis in places[0]) if len(places) else None

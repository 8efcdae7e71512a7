"""The collection behind the lists: `N=`, how many documents it holds, tested against what is known of it."""

import numpy as np

from evaluation.arrays import BoolArray, IntArray
from evaluation.errors import InputError, shown
from evaluation.measures.lists import RankedLists


def irrelevant_documents(lists: RankedLists, size: float | None, rel: float | None, measure: str) -> IntArray:
    """N − R, the irrelevant documents of each topic (topics,).

    Raises `InputError` without N, where it is smaller than the documents that a topic is known to have, and
    where it leaves a topic no irrelevant document.
    """
    if size is None:
        raise InputError(
            f"{measure} needs N, the number of documents in the collection, as in {measure}(N=1400)"
        )
    _refuse_small(lists, size, measure)
    irrelevant: IntArray = int(size) - lists.recall(rel)
    if (place := _first(irrelevant <= 0)) is not None:
        topic = shown(lists.topics[place[0]])
        raise InputError(
            f"all of the N={size} documents of {measure} are relevant in topic {topic}; give N, the number "
            "of documents in the collection"
        )
    return irrelevant


def collection_size(lists: RankedLists, size: float | None, missing: IntArray, measure: str) -> float:
    """N where relevant documents are `missing` from lists (runs, topics), which takes it; else 0 will do.

    Raises `InputError` where it is needed and not given, and where it cannot be right.
    """
    if size is not None:
        _refuse_small(lists, size, measure)
        return size
    if (place := _first(missing > 0)) is not None:
        run, topic = shown(lists.runs[place[0]]), shown(lists.topics[place[1]])
        some = f"{missing[place]} relevant document{'s' * bool(missing[place] > 1)}"
        raise InputError(
            f"{measure} needs N, the number of documents in the collection, as in {measure}(N=1400): "
            f"run {run} did not retrieve {some} of topic {topic}"
        )
    return 0


def _refuse_small(lists: RankedLists, size: float, measure: str) -> None:
    """Raise `InputError` where a topic's documents, judged or retrieved by one run, are more than N."""
    judged = np.bincount(lists.topic, minlength=len(lists.topics))
    both = np.bincount(lists.cell, minlength=lists.length.size).reshape(lists.shape)
    known = lists.length - both + judged
    if (place := _first(known > size)) is not None:
        run, topic = shown(lists.runs[place[0]]), shown(lists.topics[place[1]])
        raise InputError(
            f"N={size} of {measure} is too small: topic {topic} alone has {known[place]} documents, "
            f"judged or retrieved by run {run}; give N, the number of documents in the collection"
        )


def _first(at_fault: BoolArray) -> tuple[int, ...] | None:
    """The first place at fault, along all axes; None as it should be."""
    places = np.argwhere(at_fault)
    return tuple(int(axis) for axis in places[0]) if len(places) else None

"""Draw the documents of the next units at random, with weights."""

from collections.abc import Callable

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray

Weigh = Callable[[IntArray], FloatArray]
"""A function from the number of further judgments of each document to the weight of one more."""


def draw_units(
    topic: IntArray,
    candidate: BoolArray,
    weigh: Weigh,
    room: IntArray,
    *,
    units: int,
    others: int,
    explore: float,
    rng: np.random.Generator,
) -> IntArray:
    """Return the documents of up to `units` units (units, others).

    `topic` and `candidate` have one value for each document, and `room` (topics,) is the number of units that
    each topic can still get. One unit is drawn at a time. First its topic is drawn: the weight of a topic is
    the sum of the `others` largest weights of its documents. Then the documents are drawn without
    replacement. A document that is drawn gets one more judgment, so its weight falls for the next unit.

    A share `explore` of the weight is the same for all documents. So every document can be drawn, and an
    estimated need of 0 is no dead end.
    """
    further = np.zeros(len(topic), dtype=np.int64)
    room = room.copy()
    places = [np.flatnonzero((topic == number) & candidate) for number in range(len(room))]
    room[[len(documents) < others for documents in places]] = 0
    drawn: list[IntArray] = []
    while len(drawn) < units and room.any():
        weight = np.where(candidate, weigh(further), 0.0)
        total = weight.sum()
        share = weight / total if total > 0 else weight
        share = (1 - explore) * share + np.where(candidate, explore or 1e-9, 0) / candidate.sum()
        of_topic = np.array(
            [
                np.sort(share[documents])[-others:].sum() if left else 0.0
                for documents, left in zip(places, room, strict=True)
            ]
        )
        chosen = rng.choice(len(room), p=of_topic / of_topic.sum())
        documents = places[chosen]
        chances = share[documents] / share[documents].sum()
        picked = rng.choice(documents, size=others, replace=False, p=chances)
        further[picked] += 1
        room[chosen] -= 1
        drawn.append(picked)
    return np.array(drawn, dtype=np.int64).reshape(-1, others)

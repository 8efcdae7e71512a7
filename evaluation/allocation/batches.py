"""Draw the documents of the next units at random, with weights."""

from collections.abc import Callable

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray

Weigh = Callable[[IntArray], FloatArray]
"""Takes the number of planned judgments of each document, and returns the weight of one more judgment."""


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
    """Return the documents of up to `units` units, as an array with `others` documents in each row.

    `topic` and `candidate` have one value for each document: the index of its topic, and whether it can be
    drawn. `room` has the number of units that each topic can still get. `others` is the number of documents
    in a unit besides the anchors. A topic with fewer than `others` candidates gets no unit.

    Units are drawn one after the other. First the topic of the unit is drawn. The weight of a topic is the
    sum of the `others` largest weights of its documents. Then the documents are drawn without replacement.
    After each unit, `weigh` computes the weights again, so documents that have just been drawn weigh less.

    `explore` is the part of the total weight that is divided equally among all candidates. So every candidate
    can be drawn, even if its own weight is 0.
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

"""Give unjudged documents the gain of a document that is not relevant.

No magnitude is 0, so even a document that is not relevant has a gain. A gain of 0 for unjudged documents
would punish runs that retrieve many of them, such as runs of new systems. A *floor* is the gain that the
unjudged documents of a topic have instead.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl

from ..errors import InputError, shown
from ..frames import Gains
from ..pairs import PAIR
from .lists import RankedLists, ScoreTies
from .measure import Measure


def floors_of_grades(gains: Gains, grades: Gains) -> dict[str, float]:
    """Return, for each topic, the median gain of the documents that have the topic's lowest grade.

    Only documents that have both a gain and a grade are used. Topics without such a document are left out.
    """
    both = gains.table.join(grades.table.rename({"gain": "grade"}), on=PAIR)
    lowest = both.filter(pl.col("grade") == pl.col("grade").min().over("topic_id"))
    medians = lowest.group_by("topic_id").agg(pl.col("gain").median()).sort("topic_id")
    return dict(medians.select("topic_id", "gain").iter_rows())


def with_floors(lists: RankedLists, floors: Mapping[str, float]) -> RankedLists:
    """Return the same lists, but with the gain in `floors` for the unjudged documents of each topic.

    The collection is assumed to have more unjudged documents than the ideal list has ranks. So the ideal list
    has an unjudged document at every rank where its gain would otherwise be below the floor. Relevance does
    not change. Raise `InputError` for a topic without a floor, and for a floor that is negative or not
    finite.
    """
    floor = np.array([_floor(floors, topic) for topic in lists.topics], dtype=np.float64)
    number = np.bincount(lists.topic, minlength=len(lists.topics))
    # After the judged documents of each topic, one document stands for all that are not judged.
    stand_in = np.cumsum(number) + np.arange(len(number))
    lengths = lists.length.ravel()
    starts = np.cumsum(lengths) - lengths
    cell = np.repeat(np.arange(len(lengths)), lengths)
    document = stand_in[cell % len(lists.topics)]
    document[starts[lists.cell] + lists.rank - 1] = lists.document + lists.topic[lists.document]
    has_none = np.isnan(lists.gain)
    return replace(
        lists,
        cell=cell,
        rank=np.arange(len(cell)) - starts[cell] + 1,
        document=document,
        score_ties=ScoreTies(*np.zeros((3, 0), dtype=np.int64)),
        topic=np.repeat(np.arange(len(number)), number + 1),
        gain=np.insert(np.where(has_none, floor[lists.topic], lists.gain), np.cumsum(number), floor),
        level=np.insert(lists.level, np.cumsum(number), np.nan),
        code=None,
        subtopics=None,
        floor=floor,
        _known={},
        _entries={},
    )


def refuse_floors(measure: Measure) -> None:
    """Raise `InputError` if a measure cannot be computed when unjudged documents have a gain."""
    parameters = measure.parameters
    if measure.definition.whole_base or parameters.get("adjust", "none") != "none":
        raise InputError(
            "measure-without-floor",
            "{measure} needs a recall base that contains only judged documents; leave out either "
            'unjudged="N" or the measure',
            measure=str(measure),
        )
    if parameters.get("ties") == "averaged":
        raise InputError(
            "floor-with-averaged-ties",
            'ties="averaged" in {measure} cannot be combined with unjudged="N"; leave one of the two out',
            measure=str(measure),
        )


def _floor(floors: Mapping[str, float], topic: str) -> float:
    if topic not in floors:
        raise InputError(
            "topic-without-floor",
            'unjudged="N" needs a gain for the unjudged documents of topic {topic}; set rel= to '
            "grades that occur in the topic, or give a floor for the topic",
            topic=shown(topic),
        )
    floor = float(floors[topic])
    if not (np.isfinite(floor) and floor >= 0):
        raise InputError(
            "invalid-floor",
            "the floor {value} of topic {topic} is out of bounds; give a finite number that is at least 0",
            value=f"{floor:g}",
            topic=shown(topic),
        )
    return floor


def adds_judgments(measure: Measure) -> bool:
    """Return whether a document without a judgment counts as if it were not relevant.

    Some measures instead say how many documents are judged, or what unjudged documents could add.
    """
    return measure.counts != "documents"


def adds_gains(measure: Measure) -> bool:
    """Return whether the value of a measure can depend on the gain of unjudged documents."""
    return measure.counts == "gain" or measure.parameters.get("gain", "binary") != "binary"

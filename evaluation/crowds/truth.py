"""The truth behind a simulated study: the documents of each topic, with known grades and true gains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from ..frames import Gains
from ..showing import short_repr
from .model import GRADES, Crowd


@short_repr
@dataclass(frozen=True, eq=False)
class Truth:
    """The documents of all topics, sorted by topic, with their known grades and true levels.

    The arrays `topic`, `grade` and `level` have one value for each document. `topic` is the index of the
    document's topic in `topics`. `grade` is the index of its known grade in `GRADES`, or −1 if it has none.
    `level` is the natural logarithm of its true gain.

    `high` and `low` have one value for each topic: the indexes of the documents that are its anchors H and N.
    """

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    topic: IntArray
    grade: IntArray
    level: FloatArray
    high: IntArray
    low: IntArray

    def gains(self) -> Gains:
        """Return the true gains, without the noise of any worker."""
        return Gains.from_checked(self.table.with_columns(gain=np.exp(self.level)))

    def grades(self) -> Gains:
        """Return the known grades as gains 0 to 3. Documents without a known grade are left out."""
        known = self.grade >= 0
        return Gains.from_checked(self.table.with_columns(gain=self.grade.astype(float)).filter(known))

    @property
    def table(self) -> pl.DataFrame:
        """The topic and the id of each document, in the columns `topic_id, document_id`."""
        topics = pl.Series("topic_id", self.topics, dtype=pl.String)
        return pl.DataFrame([topics[self.topic], pl.Series("document_id", self.documents, dtype=pl.String)])


def draw_truth(
    known: Mapping[str, Mapping[str, str]] | Sequence[Mapping[str, int]],
    crowd: Crowd,
    rng: np.random.Generator,
) -> Truth:
    """Draw the true level of each document from its known grade.

    `known` has one of two forms:

    - a dict `{topic: {document: grade}}`, where a grade is N, M, R, H, or "" if it is not known;
    - a sequence of dicts, one for each topic, that map each grade to its number of documents:
      `{"H": 1, "N": 10, "": 5}`.

    In each topic, the first document with the grade H becomes the anchor H, and the first document with the
    grade N becomes the anchor N. The grades of anchors are right, because a researcher has checked them.
    Raise `InputError` if a topic has no document with the grade H, or none with the grade N.
    """
    if not isinstance(known, Mapping):
        known = {
            str(number): {
                f"{number}-{grade or 'X'}{place}": grade for grade in counts for place in range(counts[grade])
            }
            for number, counts in enumerate(known, start=1)
        }
    topics = tuple(known)
    documents = tuple(document for grades in known.values() for document in grades)
    topic = np.repeat(np.arange(len(topics)), [len(grades) for grades in known.values()])
    grade = np.array(
        [GRADES.find(letter) if letter else -1 for grades in known.values() for letter in grades.values()]
    )
    anchors = [_first_of_each_topic(grade, topic, topics, letter) for letter in "HN"]
    level = draw_levels(grade, np.isin(np.arange(len(grade)), anchors), crowd, rng)
    return Truth(topics, documents, topic, grade, level, *anchors)


def _first_of_each_topic(grade: IntArray, topic: IntArray, topics: Sequence[str], letter: str) -> IntArray:
    places = np.flatnonzero(grade == GRADES.index(letter))
    present, first = np.unique(topic[places], return_index=True)
    if len(present) < len(topics):
        missing = next(name for index, name in enumerate(topics) if index not in set(present.tolist()))
        raise InputError(
            "topic-without-anchor",
            "topic {topic} has no document with the grade {grade} to serve as an anchor; give at least one "
            "document this grade",
            topic=missing,
            grade=letter,
        )
    return places[first]


def draw_levels(
    grade: IntArray, is_anchor: npt.NDArray[np.bool_], crowd: Crowd, rng: np.random.Generator
) -> FloatArray:
    """Draw a true grade for each document, and return a true level drawn for this grade.

    `grade` has the known grade of each document as an index in `GRADES`, or −1 if the document has none. The
    true grade can differ from the known grade, except for anchors: a researcher has checked their grades.
    """
    count, last = len(grade), len(GRADES) - 1
    off = np.where(rng.random(count) < crowd.wrong_grades, rng.choice([-1, 1], size=count), 0)
    unknown = np.where(rng.random(count) < crowd.relevant_unknown, rng.integers(1, last + 1, size=count), 0)
    true = np.where(grade < 0, unknown, np.clip(grade + np.where(is_anchor, 0, off), 0, last))
    means = np.array(crowd.levels)
    deviation = rng.normal(size=count)
    deviation = np.where(is_anchor, np.clip(deviation, -1.5, 1.5) / 2, deviation)
    levels: FloatArray = means[true] + deviation * crowd.document_sigma
    return levels

"""Known grades and pool lists: columns of text, a row to a line."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from judging.core.intake.content import KnownValue
from judging.core.intake.faults import Faults, Where, shown
from judging.core.intake.files import SourceFile
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.tables import unstorable
from judging.protocol.states import Grade

DROP: Final = "drop"
"""Written for a level: rows with this value count as not graded at all."""
LEVELS: Final = {
    "qrels": {"0": "N", "1": "M", "2": "R", "3": "H"},
    "cranfield": {"1": "H", "2": "R", "3": "M", "4": "M", "-1": DROP},
}
"""Format → value in the file → level. Cranfield's codes run backwards, and its −1 is unexplained: dropped."""
_GRADES: Final = {4: ("topic", "iteration", "document", "grade"), 3: ("topic", "document", "grade")}
"""Number of columns in the first row of a file of grades → their names."""
_POOL: Final = ("topic", "document")
_LONGEST_VALUE: Final = 20
MOST_VALUES: Final = 50
"""Different values that a file of grades can hold."""


def count_columns(source: SourceFile) -> int:
    """Return the number of columns in the first row; 0 if the file is empty or cannot be read."""
    lines = source.beside(source.path, Faults()).lines()
    return next((len(cells) for _, line in lines if (cells := line.split())), 0)


def count_values(source: SourceFile) -> Counter[str]:
    """Return how many rows of a file of grades have each value, for somebody to say what they mean."""
    counts: Counter[str] = Counter()
    for number, row in _grade_rows(source):
        if row["grade"] not in counts and len(counts) == MOST_VALUES:
            what = (
                f"the last column holds more than {MOST_VALUES} different values; is this a file of grades?"
            )
            source.fault(number, "grade", what)
            break
        counts[row["grade"]] += 1
    return counts


def _grade_rows(source: SourceFile) -> Iterator[tuple[int, dict[str, str]]]:
    return read_columns(source, _GRADES.get(count_columns(source), _GRADES[4]))


def read_columns(source: SourceFile, names: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and cells by column; lines with another number of columns are faults."""
    rows = 0
    with source.faults.watch() as watch:
        for number, line in source.lines():
            cells = line.split()
            if not cells:
                continue
            rows += 1
            if len(cells) != len(names):
                has = f"has {len(cells)} column{'s' * (len(cells) != 1)}"
                source.fault(number, "", f"{has} and needs {len(names)}: {' '.join(names)}")
            elif fault := id_fault(cells[names.index("document")]) or unstorable(line):
                source.fault(number, "document", fault)
            else:
                yield number, dict(zip(names, cells, strict=True))
    if not rows and watch.clean:
        source.fault(1, "", "the file is empty; give it rows or leave it out of the study file")


def read_grades(
    source: SourceFile, levels: Mapping[str, str], topics: set[str]
) -> tuple[dict[str, dict[str, KnownValue]], set[str]]:
    """The grades of `topics`: topic → document → value and level; and the topics that were passed over.

    Faults: a value that `levels` does not name, and a document that is graded twice in a topic.
    """
    grades: dict[str, dict[str, KnownValue]] = {}
    others: set[str] = set()
    for number, row in _grade_rows(source):
        topic, document, value = row["topic"], row["document"], row["grade"]
        if value not in levels:
            what = f"{shown(value)} is not one of {' '.join(levels)}; mend it, or name it in levels"
            source.fault(number, "grade", what)
        elif len(value) > _LONGEST_VALUE:
            source.fault(
                number,
                "grade",
                f"{shown(value)} is longer than {_LONGEST_VALUE} characters; shorten it",
                like="long",
            )
        elif topic not in topics:
            others.add(topic)
        elif document in grades.setdefault(topic, {}):
            source.fault(
                number,
                "document",
                f"{document} is graded a second time in topic {topic}; delete a row",
                like="second",
            )
        else:
            level = None if levels[value] == DROP else Grade(levels[value])
            grades[topic][document] = KnownValue(value, level)
    return grades, others


def read_pool(source: SourceFile, topics: set[str]) -> dict[str, dict[str, Where]]:
    """An explicit pool: topic → document → its line. A row naming an unknown topic, or twice, is a fault."""
    pool: dict[str, dict[str, Where]] = {}
    for number, row in read_columns(source, _POOL):
        topic, document = row["topic"], row["document"]
        if topics and topic not in topics:
            what = f"{topic} is not a topic of the study; mend it or delete the line"
            source.fault(number, "topic", what, like="unknown")
        elif document in pool.setdefault(topic, {}):
            source.fault(
                number,
                "document",
                f"{document} stands twice in the pool of topic {topic}; delete a line",
                like="twice",
            )
        else:
            pool[topic][document] = source.at(number)
    return pool

"""Known grades and pool lists: columns of text, a row to a line."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from judging.intake.content import KnownValue
from judging.intake.faults import Where, shown
from judging.intake.files import SourceFile
from judging.intake.readers.sgml import id_fault
from judging.intake.tables import unstorable
from judging.protocol.states import Grade

DROP: Final = "drop"
"""Written for a level: rows with this value count as not graded at all."""
LEVELS: Final = {
    "qrels": {"0": "N", "1": "M", "2": "R", "3": "H"},
    "cranfield": {"1": "H", "2": "R", "3": "M", "4": "M", "-1": DROP},
}
"""Format → value in the file → level. Cranfield's codes run backwards, and its −1 is unexplained: dropped."""
_COLUMNS: Final = {
    "qrels": ("topic", "iteration", "document", "grade"),
    "cranfield": ("topic", "document", "grade"),
    "pool": ("topic", "document"),
}
_LONGEST_VALUE: Final = 20
_MOST_VALUES: Final = 50
"""So many values that no level is given to are gathered; those beyond are told line by line."""


def read_columns(source: SourceFile, form: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and cells by column; lines with another number of columns are faults."""
    names = _COLUMNS[form]
    rows = 0
    with source.faults.watch() as watch:
        for number, line in source.lines():
            cells = line.split()
            if not cells:
                continue
            rows += 1
            if len(cells) != len(names):
                wanted = f"{len(names)} are meant: {' '.join(names)}"
                source.fault(number, "", f"{len(cells)} column{'s' * (len(cells) != 1)}, and {wanted}")
            elif fault := id_fault(cells[names.index("document")]) or unstorable(line):
                source.fault(number, "document", fault)
            else:
                yield number, dict(zip(names, cells, strict=True))
    if not rows and watch.clean:
        source.fault(1, "", "the file is empty; give it rows or leave it out of the study file")


def read_grades(
    source: SourceFile, form: str, levels: Mapping[str, str], topics: set[str]
) -> tuple[dict[str, dict[str, KnownValue]], set[str]]:
    """The grades of `topics`: topic → document → value and level; and the topics that were passed over.

    Faults: a value that `levels` does not name, once for all its lines, and a document that is graded twice
    in a topic.
    """
    grades: dict[str, dict[str, KnownValue]] = {}
    others: set[str] = set()
    unknown: Counter[str] = Counter()
    first: dict[str, int] = {}
    for number, row in read_columns(source, form):
        topic, document, value = row["topic"], row["document"], row["grade"]
        if value not in levels:
            if value in first or len(first) < _MOST_VALUES:
                first.setdefault(value, number)
                unknown[value] += 1
            else:
                source.fault(number, "grade", _unknown(value, 1, levels))
        elif len(value) > _LONGEST_VALUE:
            source.fault(
                number, "grade", f"{shown(value)} is longer than {_LONGEST_VALUE} characters; shorten it"
            )
        elif topic not in topics:
            others.add(topic)
        elif document in grades.setdefault(topic, {}):
            source.fault(
                number, "document", f"{document} is graded a second time in topic {topic}; delete a row"
            )
        else:
            level = None if levels[value] == DROP else Grade(levels[value])
            grades[topic][document] = KnownValue(value, level)
    for value, lines in unknown.items():
        source.fault(first[value], "grade", _unknown(value, lines, levels))
    return grades, others


def _unknown(value: str, lines: int, levels: Mapping[str, str]) -> str:
    where = f", here and {lines - 1:,} more time{'s' * (lines > 2)}" if lines > 1 else ""
    return f"{shown(value)} is not one of {' '.join(levels)}{where}; mend it, or name it in levels"


def read_pool(source: SourceFile, topics: set[str]) -> dict[str, dict[str, Where]]:
    """An explicit pool: topic → document → its line. A row naming an unknown topic, or twice, is a fault."""
    pool: dict[str, dict[str, Where]] = {}
    for number, row in read_columns(source, "pool"):
        topic, document = row["topic"], row["document"]
        if topics and topic not in topics:
            source.fault(number, "topic", f"{topic} is not a topic of the study; mend it or delete the line")
        elif document in pool.setdefault(topic, {}):
            source.fault(
                number, "document", f"{document} stands twice in the pool of topic {topic}; delete a line"
            )
        else:
            pool[topic][document] = source.at(number)
    return pool

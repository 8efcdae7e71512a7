"""Read files of known grades, and pool files.

Both kinds of files can have columns separated by white space. Grades can also come from records.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from judging.core.faults import Faults, Where, shown
from judging.core.storable import unstorable
from judging.protocol.grades import level_of_number
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import RECORDS, Format
from judging.setup.intake.content import KnownValue
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.mapped import read_mapped_grades
from judging.setup.intake.readers.records import column_map
from judging.setup.intake.readers.sgml import id_fault

DROP: Final = "drop"
"""The level for values that do not count. Documents with such a value are treated as not graded."""
LEVELS: Final = {
    "qrels": {"0": "N", "1": "M", "2": "R", "3": "H"},
    "cranfield": {"1": "H", "2": "R", "3": "M", "4": "M", "-1": DROP},
}
"""Maps each format to a dict from value to level.

In Cranfield's format, 1 is the highest grade. The value −1 is not documented.
"""
FORMATS: Final = (*LEVELS, *RECORDS)
QRELS: Final = Format("qrels")
NUMBERS: Final = "numbers"
"""The format of a grade set whose values stay numbers. Only a study for analysis can have such a set."""
_GRADES: Final = {4: ("topic", "iteration", "document", "grade"), 3: ("topic", "document", "grade")}
"""Maps the number of columns in the first row of a file of grades to the names of the columns."""
_POOL: Final = ("topic", "document")
_LONGEST_VALUE: Final = 20
MOST_VALUES: Final = 50
"""The largest number of different values that a file of grades can have."""


def count_columns(source: SourceFile) -> int:
    """Return the number of columns in the first row, or 0 if the file is empty or cannot be read."""
    lines = source.sibling(source.path, Faults()).lines()
    return next((len(cells) for _, line in lines if not _is_skipped(cells := line.split())), 0)


def count_values(source: SourceFile, form: Format = QRELS) -> Counter[str]:
    """Return the number of rows for each value in a file of grades.

    Add a fault if there are more than `MOST_VALUES` values.
    """
    counts: Counter[str] = Counter()
    for number, row in _grade_rows(source, form):
        if row["grade"] not in counts and len(counts) == MOST_VALUES:
            too_many = _("The last column has more than {number} different values. It should contain grades.")
            source.fault(number, "grade", too_many, number=MOST_VALUES)
            break
        counts[row["grade"]] += 1
    return counts


def levels_of_numbers(source: SourceFile, form: Format = QRELS) -> dict[str, str]:
    """Return a dict from each value in a file of grades to its level. Leave out values that are not numbers.

    Numbers below 0 have the level `DROP`.
    """
    levels = {}
    for value in count_values(source, form):
        with suppress(ValueError):
            levels[value] = level_of_number(value) or DROP
    return levels


def _grade_rows(source: SourceFile, form: Format) -> Iterator[tuple[int, dict[str, str]]]:
    if (columns := column_map("grades", form, source)) is not None:
        return read_mapped_grades(source, columns)
    return read_columns(source, _GRADES.get(count_columns(source), _GRADES[4]))


def _is_skipped(cells: list[str]) -> bool:
    """Return whether a line is blank, or begins with `#`, as comments do in trec_eval 10."""
    return not cells or cells[0].startswith("#")


def read_columns(source: SourceFile, names: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line that is neither blank nor a comment, and a dict from column name to cell.

    A line with too few or too many columns is a fault.
    """
    if not source.is_text_of():
        return
    rows = 0
    with source.faults.watch() as watch:
        for number, line in source.lines():
            cells = line.split()
            if _is_skipped(cells):
                continue
            rows += 1
            if len(cells) != len(names):
                source.fault(
                    number,
                    "",
                    _("The line has {number} columns instead of {needed} ({columns}). Correct the line."),
                    needed=len(names),
                    columns=" ".join(names),
                    number=len(cells),
                )
            elif fault := id_fault(cells[names.index("document")]) or unstorable(line):
                source.fault(number, "document", fault)
            else:
                yield number, dict(zip(names, cells, strict=True))
    if not rows and watch.clean:
        source.fault(1, "", _("The file is empty. Add rows, or remove the file from the study."))


def read_grades(
    source: SourceFile, levels: Mapping[str, str], topics: set[str], form: Format = QRELS
) -> tuple[dict[str, dict[str, KnownValue]], set[str]]:
    """Return a dict from topic to the grades of its documents, and the topics that were ignored.

    Topics that are not in `topics` are ignored. A value that is not in `levels` is a fault, and so is a
    document that is graded twice for a topic.
    """
    grades: dict[str, dict[str, KnownValue]] = {}
    others: set[str] = set()
    for number, row in _grade_rows(source, form):
        topic, document, value = row["topic"], row["document"], row["grade"]
        if value not in levels:
            unknown = _("The grade {value} is unknown. Use one of {values}, or add {value} to `levels`.")
            source.fault(number, "grade", unknown, value=shown(value), values=" ".join(levels))
        elif len(value) > _LONGEST_VALUE:
            source.fault(
                number,
                "grade",
                _("The grade {value} is longer than {number} characters. Shorten it."),
                like="long",
                value=shown(value),
                number=_LONGEST_VALUE,
            )
        elif topic not in topics:
            others.add(topic)
        elif document in grades.setdefault(topic, {}):
            source.fault(
                number,
                "document",
                _("Document {document} is graded twice for topic {topic}. Delete one of the two lines."),
                like="second",
                document=document,
                topic=topic,
            )
        else:
            level = None if levels[value] == DROP else levels[value]
            grades[topic][document] = KnownValue(value, level)
    return grades, others


def read_pool(source: SourceFile, topics: set[str], *, are_whole: bool = True) -> dict[str, dict[str, Where]]:
    """Return a dict from topic to the documents in its pool, each with its line in the pool file.

    An unknown topic or a repeated row is a fault. If `are_whole` is false, topics are missing from `topics`,
    so no topic counts as unknown.
    """
    pool: dict[str, dict[str, Where]] = {}
    for number, row in read_columns(source, _POOL):
        topic, document = row["topic"], row["document"]
        if topic not in topics and not are_whole:
            source.faults.has_unchecked = True
        elif topics and topic not in topics:
            unknown = _("The study has no topic {topic}. Correct the number, or delete the line.")
            source.fault(number, "topic", unknown, like="unknown", topic=topic)
        elif document in pool.setdefault(topic, {}):
            source.fault(
                number,
                "document",
                _("Document {document} is listed twice for topic {topic}. Delete one of the two lines."),
                like="twice",
                document=document,
                topic=topic,
            )
        else:
            pool[topic][document] = source.at(number)
    return pool

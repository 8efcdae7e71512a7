"""The sets of known grades that a study file names."""

import re
from collections import Counter
from typing import Final

from judging.core.intake.columns import taken
from judging.core.intake.content import GradeSetContent, KnownValue, StudyContent
from judging.core.intake.faults import shown
from judging.core.intake.paths import Paths
from judging.core.intake.readers.grades import DROP, LEVELS, count_columns, read_grades
from judging.core.intake.tables import Table
from judging.protocol.states import Grade

_LONGEST_NAME: Final = 60
_AMBIGUOUS: Final = 3
"""Columns of files in which both formats are found."""
_CHOOSE: Final = (
    "Say what the third one means: "
    + ", or ".join(
        f'format = "{form}" for {" ".join(f"{value}={level}" for value, level in levels.items())}'
        for form, levels in LEVELS.items()
    )
    + "; or name each value in levels"
)


def add_grade_sets(top: Table, content: StudyContent, paths: Paths) -> None:
    """Read every `[[grades]]`, cut to the topics of the study."""
    numbers = {topic.number for topic in content.topics}
    names: set[str] = set()
    for table in top.tables("grades"):
        name = read_set_name(table, names)
        form = table.choice("format", list(LEVELS), "qrels")
        levels = _levels(table, form)
        unlisted = table.choice("unlisted", [grade.value for grade in Grade])
        source = paths.one(table, "path")
        reading_named = "format" in table or "levels" in table
        table.close()
        if source is None or levels is None:
            continue
        if not reading_named and count_columns(source) == _AMBIGUOUS:
            table.fault("path", f"{source.path.name} has three columns. {_CHOOSE}")
            continue
        with table.faults.watch() as watch:
            grades, others = read_grades(source, levels, numbers)
        if not grades and watch.clean and numbers:
            source.fault(1, "topic", "no line is about a topic of the study; are they numbered alike?")
        if others:
            content.notices.append(
                f"{source.path}: {len(others)} topics that the study does not have are ignored."
            )
        grade_set = GradeSetContent(name, table.where("name"), grades, Grade(unlisted) if unlisted else None)
        content.grade_sets.append(grade_set)
        if grades:
            read_as = ", ".join(
                f"{value} = {level} ({count:,} document{'s' * (count != 1)})"
                for value, level, count in count_meanings(grade_set)
            )
            content.notices.append(f"{source.path} is read as: {read_as}.")


def count_meanings(grade_set: GradeSetContent) -> list[tuple[str, str, int]]:
    """Return each value of the file with the grade it was read as and the number of documents it has."""
    counts: Counter[KnownValue] = Counter(
        known for of_topic in grade_set.grades.values() for known in of_topic.values()
    )
    rows = [(known.value, known.level or DROP, count) for known, count in counts.items()]
    return sorted(rows, key=lambda row: sort_key(row[0]))


def sort_key(value: str) -> tuple[bool, int, str]:
    """Order the values of a file of grades: whole numbers by size, then texts."""
    whole = re.fullmatch("[+-]?[0-9]{1,18}", value)
    return whole is None, int(value) if whole else 0, value


def read_set_name(table: Table, names: set[str]) -> str:
    """Return the name of a set of grades, and add it to the `names` that are taken."""
    name = table.text("name", needed=True, longest=_LONGEST_NAME)
    if name and not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        table.fault("name", f"{shown(name)} cannot head a column; use letters, digits, - and _")
    elif what := taken(name):
        table.fault("name", f"{what}; choose another")
    elif name in names:
        table.fault("name", f"a second set is named {name}; choose another")
    names.add(name)
    return name


def _levels(table: Table, form: str) -> dict[str, str] | None:
    levels = table.mapping("levels")
    if levels is None:
        return None if "levels" in table else dict(LEVELS[form])
    known = [*(grade.value for grade in Grade), DROP]
    for value, level in levels.items():
        if level not in known:
            table.fault("levels", f"{shown(value)} is given {shown(level)}; write one of {', '.join(known)}")
            return None
    if not levels:
        table.fault("levels", "names no level; leave it out or say what each value means")
        return None
    return levels

"""The sets of known grades that a study file names."""

import re
from typing import Final

from judging.intake.columns import taken
from judging.intake.content import GradeSetContent, StudyContent
from judging.intake.faults import shown
from judging.intake.paths import Paths
from judging.intake.readers.grades import DROP, LEVELS, read_grades
from judging.intake.tables import Table
from judging.protocol.states import Grade

_LONGEST_NAME: Final = 60


def add_grade_sets(top: Table, content: StudyContent, paths: Paths) -> None:
    """Read every `[[grades]]`, cut to the topics of the study."""
    numbers = {topic.number for topic in content.topics}
    names: set[str] = set()
    for table in top.tables("grades"):
        name = _name(table, names)
        form = table.choice("format", list(LEVELS), "qrels")
        levels = _levels(table, form)
        unlisted = table.choice("unlisted", [grade.value for grade in Grade])
        source = paths.one(table, "path")
        table.close()
        if source is None or levels is None:
            continue
        with table.faults.watch() as watch:
            grades, others = read_grades(source, form, levels, numbers)
        if not grades and watch.clean and numbers:
            source.fault(1, "topic", "no line is about a topic of the study; are they numbered alike?")
        if others:
            content.notices.append(
                f"{source.path}: {len(others)} topics that the study does not have are passed over."
            )
        content.grade_sets.append(
            GradeSetContent(name, table.where("name"), grades, Grade(unlisted) if unlisted else None)
        )


def _name(table: Table, names: set[str]) -> str:
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

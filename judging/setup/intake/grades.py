"""Read the sets of known grades in a study file."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

from judging.core.faults import shown
from judging.core.published.gains import MAGNITUDES
from judging.core.published.judgments import PUBLISHED_GRADES, is_column
from judging.protocol.settings import Purpose
from judging.protocol.states import Grade
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import RECORDS, read_format
from judging.setup.intake.content import GradeSetContent, KnownValue, StudyContent
from judging.setup.intake.paths import Paths
from judging.setup.intake.readers.grades import (
    DROP,
    FORMATS,
    LEVELS,
    NUMBERS,
    count_columns,
    levels_of_numbers,
    read_grades,
)
from judging.setup.intake.toml_table import Table

_LONGEST_NAME: Final = 60
_AMBIGUOUS: Final = 3
"""A file with this number of columns can be in any of the formats in `LEVELS`."""
_MEANINGS: Final = ", ".join(
    f'format = "{form}" ({" ".join(f"{value}={level}" for value, level in levels.items())})'
    for form, levels in LEVELS.items()
)


def add_grade_sets(top: Table, content: StudyContent, paths: Paths) -> None:
    """Read every `[[grades]]` table, and keep the grades of the study's topics."""
    numbers = {topic.number for topic in content.topics}
    names: set[str] = set()
    is_analysis = content.fields["purpose"] == Purpose.ANALYSIS
    forms = (*FORMATS, NUMBERS) if is_analysis else FORMATS
    for table in top.tables("grades"):
        name = read_set_name(table, names)
        form = read_format(table, "grades", forms, "qrels")
        is_numbers = form.name == NUMBERS or (is_analysis and form.name in RECORDS and "levels" not in table)
        levels = {} if is_numbers else _levels(table, form.name)
        unlisted = table.choice("unlisted", [grade.value for grade in Grade])
        if is_numbers and unlisted:
            text = _(
                "You cannot set a level for unlisted documents if the grades are numbers. Remove this key."
            )
            table.fault("unlisted", text)
        source = paths.file(table, "path")
        reading_named = "format" in table or "levels" in table or form.name not in LEVELS
        table.close()
        if source is None or levels is None or not form.name:
            continue
        if not reading_named and count_columns(source) == _AMBIGUOUS:
            text = _(
                "{file} has three columns, so its format is unclear. Add one of these: {formats}. Or add a"
                " table `levels` with the level of each value."
            )
            table.fault("path", text, file=source.path.name, formats=_MEANINGS)
            continue
        with table.faults.watch() as watch:
            if is_numbers:
                levels = levels_of_numbers(source, form)
            grades, others = read_grades(source, levels, numbers, form) if watch.clean else ({}, set())
        if not grades and watch.clean and numbers and content.has_all_topics:
            no_topic = _(
                "No line belongs to a topic in the study. Check that the file and the study use the "
                "same topic numbers."
            )
            source.fault(1, "topic", no_topic)
        if others and not content.has_all_topics:
            table.faults.has_unchecked = True
        elif others:
            content.notices.append(ignored_topics(source.path, len(others)))
        grade_set = GradeSetContent(name, table.where("name"), grades, unlisted or None)
        content.grade_sets.append(grade_set)
        if grades:
            read_as = ", ".join(
                f"{value} = {level} ({count:,})" for value, level, count in count_meanings(grade_set)
            )
            text = _(
                "The values in {file} are read as these grades, with the number of documents in brackets:"
                " {grades}."
            )
            content.notices.append(Sentence(text, {"file": str(source.path), "grades": read_as}))


def ignored_topics(path: Path, number: int) -> Sentence:
    """Return a notice about topics that are in a file but not in the study."""
    singular, plural = ngettext_noop(
        "{file}: {number} topic is ignored because it is not in the study.",
        "{file}: {number} topics are ignored because they are not in the study.",
    )
    return Sentence(singular, {"file": str(path), "number": number}, plural)


def count_meanings(grade_set: GradeSetContent) -> list[tuple[str, str, int]]:
    """Return a row for each value in a grade set's file: the value, its level and its number of documents."""
    counts: Counter[KnownValue] = Counter(
        known for of_topic in grade_set.grades.values() for known in of_topic.values()
    )
    rows = [(known.value, known.level or DROP, count) for known, count in counts.items()]
    return sorted(rows, key=lambda row: sort_key(row[0]))


def sort_key(value: str) -> tuple[bool, int, str]:
    """Return the sort key of a value in a file of grades. Whole numbers come first, in numerical order."""
    whole = re.fullmatch("[+-]?[0-9]{1,18}", value)
    return whole is None, int(value) if whole else 0, value


def read_set_name(table: Table, names: set[str]) -> str:
    """Return the name of a set of grades, and add it to `names`. Add a fault if the name cannot be used."""
    name = table.text("name", needed=True, longest=_LONGEST_NAME)
    if name and not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        text = _("The name {name} cannot be used in exports. Use only letters, digits, - and _.")
        table.fault("name", text, name=shown(name))
    elif fault := name_fault(name):
        table.fault("name", fault)
    elif name in names:
        another = _("Another set of grades has the name {name}. Choose another name.")
        table.fault("name", another, name=name)
    names.add(name)
    return name


def _levels(table: Table, form: str) -> dict[str, str] | None:
    levels = table.mapping("levels")
    if levels is None and form not in ("", *LEVELS) and "levels" not in table:
        text = _("The format {format} does not say what the values mean. Add levels such as {example}.")
        table.fault("levels", text, format=shown(form), example='{ 0 = "N", 1 = "R", 2 = "H" }')
        return None
    if levels is None:
        return None if "levels" in table else LEVELS.get(form)
    known = [*(grade.value for grade in Grade), DROP]
    for value, level in levels.items():
        if level not in known:
            text = _("The level {level} of the value {value} is unknown. Use one of these: {levels}.")
            table.fault("levels", text, level=shown(level), value=shown(value), levels=", ".join(known))
            return None
    if not levels:
        table.fault("levels", _("The table is empty. Give the level of each value, or remove the table."))
        return None
    return levels


def name_fault(grade_set: str) -> Sentence | None:
    """Return why a grade set cannot have this name, or None."""
    if is_column(grade_set) and grade_set not in PUBLISHED_GRADES:
        return Sentence(
            _("Exports already have a column called {name}. Choose another name for the set of grades."),
            {"name": grade_set},
        )
    if grade_set == MAGNITUDES:
        return Sentence(
            _("The name {name} is reserved for the gains from judgments. Choose another name."),
            {"name": grade_set},
        )
    return None

"""The report `figure`: a figure of the library's report, drawn as files and described in words."""

from dataclasses import replace
from pathlib import Path

import polars as pl

from evaluation.errors import InputError, shown
from evaluation.report import ReportData
from evaluation.report.building import finish_parts
from evaluation.report.catalogue import FIGURES, PART_OF
from evaluation.report.data import WITH_ANCHORS
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.understanding.reports.catalogue import FORMATS
from judging.understanding.reports.stored_table import table_to_store
from judging.understanding.reports.words import stored


def draw(data: ReportData, name: str, folder: Path, grades: str = "") -> dict[str, object]:
    """Draw a figure, and save it in a folder. Return the content of its report.

    The content is a dict with the keys `title`, `alt` and `tables`. `grades` is the name of a set of known
    grades. If it is "", the first set is used. The files are `NAME.svg`, `.pdf`, `.png` and `.csv`. Raise
    InputError if the study lacks data for the figure, and OSError if a file cannot be written.
    """
    kind = FIGURES[name]
    heading = Sentence("{title}.", {"title": kind.title})
    if grades:
        data = _of_one_set(data, grades)
        heading = Sentence(_("{title} by {grades}."), {"title": kind.title, "grades": grades})
    (part,) = finish_parts([PART_OF[name]], data)
    drawn = next((drawn for drawn in part.content.figures if drawn.key == name), None)
    if drawn is None:
        for reason in part.missing:
            if isinstance(reason, InputError):
                raise reason
        raise InputError(
            "figure-without-data",
            "the study lacks data for the figure {figure}; the page of the figure says what is missing",
            figure=name,
        )
    drawn.figure.save(*(folder / f"{name}.{form}" for form in FORMATS if form != "csv"))
    table = drawn.figure.table
    if "anchors" in table.columns:
        table = table.with_columns(WITH_ANCHORS)
    if "grade" in table.columns:
        shown = next(iter(data.judged_grades))
        grades_of_rows = [data.show_grade(shown, grade) for grade in table["grade"]]
        table = table.with_columns(pl.Series("grade", grades_of_rows, dtype=pl.String))
    return {
        "title": stored(kind.title),
        "alt": [stored(heading), *map(stored, drawn.alt)],
        "tables": [table_to_store("numbers", _("Numbers in the figure"), table)],
    }


def _of_one_set(data: ReportData, grades: str) -> ReportData:
    """Return the data with a single set of known grades."""
    sets = {**data.known, **(data.grades or {})}
    if grades not in sets:
        raise InputError(
            "unknown-set-of-grades",
            "study {study} has no set of known grades named {grades}; choose from {known}",
            study=data.title,
            grades=shown(grades),
            known=", ".join(sets),
        )
    known = {name: gains for name, gains in data.known.items() if name == grades}
    return replace(data, known=known, grades={grades: sets[grades]})

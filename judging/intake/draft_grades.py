"""What the values of a draft's files of grades mean: somebody says so, nothing guesses it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from judging.intake.draft_files import attach, tables_of
from judging.intake.drafting import Values
from judging.intake.faults import Faults, Where
from judging.intake.files import SourceFile, encoding_fault
from judging.intake.grades import sort_key
from judging.intake.importing import FILE_NAME
from judging.intake.readers.grades import LEVELS, count_values

OWN: Final = "own"
"""The reading in which each value has the grade that somebody gave it."""


@dataclass(frozen=True)
class GradeFile:
    """An uploaded file of grades: each value with the number of its rows, and what is wrong with the file."""

    values: list[tuple[str, int]]
    faults: list[str]


def read_grade_file(folder: Path, name: str, encoding: str) -> GradeFile:
    """Read the values of a file in a draft's folder."""
    if encoding and (fault := encoding_fault(encoding)):
        return GradeFile([], [f"encoding: {fault}"])
    faults = Faults()
    counts = count_values(
        SourceFile(folder / name, Where(FILE_NAME), "grades.path", faults, encoding or None)
    )
    rows = sorted(counts.items(), key=lambda row: sort_key(row[0]))
    return GradeFile(rows, [str(fault).replace(f"{folder}/", "") for fault in faults.kept])


def meaning_of(values: Values, name: str) -> str:
    """Return what the study file says a file's values mean, for `put_meaning`; empty if it says nothing."""
    table = _table(values, name)
    levels = table.get("levels")
    if isinstance(levels, dict):
        return " ".join(f"{value}={level}" for value, level in levels.items())
    return str(table.get("format", ""))


def levels_of(meaning: str) -> dict[str, str]:
    """Return value → grade for a meaning: the name of a format, or `0=N 1=M`."""
    if meaning in LEVELS:
        return dict(LEVELS[meaning])
    pairs = (part.rpartition("=") for part in meaning.split())
    return {value: level for value, equals, level in pairs if equals}


def put_meaning(values: Values, name: str, meaning: str, encoding: str) -> None:
    """Write what a file's values mean into the study file, which names the file from then on."""
    if not _table(values, name):
        attach(values, "grades", name, encoding=encoding)
    table = _table(values, name)
    if meaning in LEVELS:
        table["format"] = meaning
        table.pop("levels", None)
    else:
        table["format"], table["levels"] = "qrels", levels_of(meaning)


def encoding_of(values: Values, name: str) -> str:
    """Return the encoding that the study file gives for a file of grades; empty where it gives none."""
    return str(_table(values, name).get("encoding", ""))


def _table(values: Values, name: str) -> Values:
    return next((one for one in tables_of(values, "grades") if one.get("path") == name), {})

"""Show the first rows of an uploaded file or a collection, and guess what its columns mean."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from judging.core.faults import Faults
from judging.core.words import translated
from judging.protocol.setup_files import FileKind
from judging.setup.files import fault_lines, guess_format, source_of
from judging.setup.intake.column_maps import (
    CONTAINERS,
    FIELDS,
    WITH_POSITIONS,
    Column,
    ColumnMap,
    Field,
    Format,
    guess_columns,
    guess_positions,
    missing_fields,
)
from judging.setup.intake.datasets import is_dataset
from judging.setup.intake.files import WORKBOOK, encoding_fault
from judging.setup.intake.readers.grades import count_columns
from judging.setup.intake.readers.records import delimiter_in, first_rows

SHOWN: Final = 5
"""The number of rows that a preview shows."""
_LONGEST_HEADER: Final = 100_000
"""The maximum number of characters of the first line that are searched for columns.

The csv module raises an error if a value is too long.
"""
_NO_HEADER: Final[dict[str, Column]] = {"": 1}


@dataclass(frozen=True)
class Preview:
    """The first rows of a file.

    `names` are the names of the columns, or their positions if the file has no header. `guess` maps fields to
    columns. Rows with problems are left out, and `faults` lists the problems found up to the last row shown.
    If `names` is empty, Plumbline cannot read the file at all.
    """

    kind: str
    container: str
    has_header: bool
    names: list[Column]
    rows: list[list[str]]
    guess: dict[str, Column]
    faults: list[str]

    @property
    def fields(self) -> tuple[Field, ...]:
        return FIELDS[self.kind]

    @property
    def has_own_names(self) -> bool:
        """Return whether the columns of all required fields have Plumbline's own names."""
        return all(field.name in self.names for field in self.fields if field.needed)


def preview(folder: Path, path: str, kind: str, container: str, *, encoding: str, header: bool) -> Preview:
    """Return the first rows of a file or collection, and guess what the columns mean.

    `header` says whether the first row of a CSV or TSV file contains the names of the columns.
    """
    faults = Faults()
    if encoding and (fault := encoding_fault(encoding)):
        return Preview(kind, container, header, [], [], {}, [f"encoding: {translated(fault)}"])
    source = source_of(folder, path, faults, encoding)
    has_header = header or container not in WITH_POSITIONS
    form = ColumnMap(container, {} if has_header else _NO_HEADER)
    names, rows = first_rows(source, kind, form, SHOWN)
    guess = guess_columns(kind, names) if has_header else guess_positions(kind, len(names))
    guess = {field: column for field, column in guess.items() if column in names}
    cells = [[row[name] for name in names] for row in rows]
    return Preview(kind, container, has_header, names, cells, guess, fault_lines(faults, folder))


def guess_header(folder: Path, path: str, kind: str, container: str, encoding: str) -> bool:
    """Return whether the first row of a file seems to contain the names of its columns."""
    if container == "csv":
        first = preview(folder, path, kind, container, encoding=encoding, header=False)
        return not first.rows or not any(cell.strip().isdecimal() for cell in first.rows[0])
    return bool(preview(folder, path, kind, container, encoding=encoding, header=True).guess)


def needs_columns(folder: Path, path: str, kind: str, form: str, encoding: str) -> bool:
    """Return whether the user must say what the columns of a file mean."""
    if form not in CONTAINERS:
        return False
    first = preview(folder, path, kind, form, encoding=encoding, header=True)
    return bool(first.names) and not first.has_own_names


def container_of_grades(folder: Path, path: str, encoding: str) -> str:
    """Return the format of a file of grades, or "" if the file is in TREC's format.

    A file that has three or four columns separated by white space is in TREC's format, unless its first row
    contains known column names.
    """
    if is_dataset(path):
        return "irds"
    if encoding and encoding_fault(encoding):
        return ""
    source = source_of(folder, path, Faults(), encoding)
    first_line = next((line.strip() for _number, line in source.lines() if line.strip()), "")[
        :_LONGEST_HEADER
    ]
    if source.kind == WORKBOOK:
        return "csv"
    if first_line.startswith("{"):
        return "jsonl"
    by_comma = next(csv.reader([first_line], delimiter=delimiter_in(source)), [])
    for container, cells in (("tsv", first_line.split("\t")), ("csv", by_comma)):
        is_header = not missing_fields(FileKind.GRADES, guess_columns(FileKind.GRADES, cells))
        if len(cells) > 2 and (is_header or count_columns(source) == 1):
            return container
    return ""


def format_of_upload(folder: Path, path: str, kind: str, form: str) -> str:
    """Return the format that the user chose, or else the format that the first lines of the file suggest."""
    return form or guess_format(folder / path, kind)


def columns_to_text(columns: dict[str, Column]) -> str:
    """Return a map of columns as text for a URL."""
    return json.dumps(columns, ensure_ascii=False, separators=(",", ":"))


def format_from_text(name: str, text: str, kind: str) -> Format:
    """Return the format and columns from a URL, or only the format if the map of columns is invalid."""
    try:
        columns = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        columns = {}
    known = {field.name for field in FIELDS[kind]}
    if not isinstance(columns, dict) or name not in CONTAINERS:
        return Format(name)
    is_map = columns.keys() <= known and all(type(column) in (str, int) for column in columns.values())
    return Format(name, columns if is_map and not missing_fields(kind, columns) else {})

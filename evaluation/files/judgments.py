"""Judgments as CSV with a header. Columns that are not required are copied unchanged."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TextIO

import polars as pl

from evaluation.arrays import FloatArray
from evaluation.columns import MARKS, refuse_outside
from evaluation.errors import InputError, shown
from evaluation.files.csv_lines import csv_lines
from evaluation.files.numbers import parse_numbers
from evaluation.files.text import read_text
from evaluation.frames import UNIT, Judgments
from evaluation.options import checked
from evaluation.origin import Origin
from evaluation.scales import DEFAULT, SCALES, ScaleName

REQUIRED = ("topic_id", "unit_id", "document_id", "relevance_score")
NORMALIZED = "normalized_relevance_score"


@dataclass(frozen=True)
class JudgmentTable:
    """A CSV file of judgments: every cell as text, and the number of the line on which each row begins."""

    header: list[str]
    rows: list[list[str]]
    origin: Origin

    def column(self, name: str) -> pl.Series:
        """Return the cells of a column. Raise `InputError` if the header does not name this column."""
        if name not in self.header:
            raise InputError(
                "csv-column-missing",
                "the header has no column {column}; add it",
                f"{self.origin.path}:1",
                column=name,
            )
        place = self.header.index(name)
        return pl.Series(name, [row[place] for row in self.rows], dtype=pl.String)

    @checked
    def judgments(self, *, gold: bool = False, scale: ScaleName = DEFAULT) -> Judgments:
        """Return the judgments in row order. With `gold`, include the anchor marks of the documents.

        Raise `InputError` if there are invalid rows. The error names up to 20 of them.
        """
        topic, unit, document, score = (self.column(name) for name in REQUIRED)
        worker = self.column("worker_id") if "worker_id" in self.header else None
        marks = self.column("gold").str.strip_chars() if gold else None
        try:
            magnitude = parse_numbers("relevance_score", score.str.strip_chars(), self.origin)
            return Judgments.from_columns(
                topic, unit, document, magnitude, worker, marks, scale=scale, origin=self.origin
            )
        except InputError as fault:
            rows = self.invalid_rows(gold=gold, scale=scale)
            first_row = next((row for row in rows if self.origin.at(row) == fault.where), -1)
            raise self.origin.naming_others(fault, rows, first_row) from None

    @checked
    def invalid_rows(self, *, gold: bool = False, scale: ScaleName = DEFAULT) -> list[int]:
        """Return the indexes of rows with an empty id, an invalid number or, with `gold`, an invalid mark."""
        topic, unit, document, score = (self.column(name) for name in REQUIRED)
        number = score.str.strip_chars().cast(pl.Float64, strict=False)
        valid = number.is_between(SCALES[scale].smallest, SCALES[scale].largest).fill_null(False)
        valid &= (topic != "") & (unit != "") & (document != "")
        if gold:
            valid &= self.column("gold").str.strip_chars().is_in(list(MARKS))
        return (~valid).arg_true().to_list()

    def units(self) -> pl.Series:
        """Return the unit of each row: its topic, its unit id and, if the file names workers, its worker."""
        keys = [name for name in UNIT if name in self.header]
        return pl.DataFrame([self.column(name) for name in keys]).to_struct("unit")

    def without(self, units: pl.Series) -> "JudgmentTable":
        """Return the table without the rows of these units."""
        remaining = (~self.units().is_in(units.implode())).arg_true().to_list()
        lines = self.origin.lines
        origin = Origin(self.origin.path, remaining if lines is None else [lines[row] for row in remaining])
        return JudgmentTable(self.header, [self.rows[row] for row in remaining], origin)

    @checked
    def normalized(self, *, scale: ScaleName = DEFAULT) -> FloatArray:
        """Return the normalised magnitudes or ratings in row order.

        Raise `InputError` if the file has no column `normalized_relevance_score`, and for an invalid value. A
        magnitude must be a positive finite number, and a rating must be a number from 0 to 1000.
        """
        if NORMALIZED not in self.header:
            raise InputError(
                "not-normalised",
                "the header has no column {column}; add it with python -m evaluation normalise",
                f"{self.origin.path}:1",
                column=NORMALIZED,
            )
        cells = self.column(NORMALIZED).str.strip_chars()
        values = parse_numbers(NORMALIZED, cells, self.origin).to_numpy()
        refuse_outside(SCALES[scale], NORMALIZED, values, self.origin, is_normalised=True)
        return values


def read_table(path: str | Path) -> JudgmentTable:
    """Read a CSV file (plain or gzip). Raise `InputError` with file and line if it is malformed."""
    csv.field_size_limit(2**31 - 1)  # justifications can exceed the default of 128 kB
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] | None = None
    line = 1
    try:
        for row in reader:
            if header is None:
                header = _checked_header(row, path)
            elif row:
                if len(row) != len(header):
                    raise InputError(
                        "row-unlike-header",
                        "the row has {cells} cells, but the header has {columns}; give both the same number "
                        "of cells",
                        f"{path}:{line}",
                        cells=len(row),
                        columns=len(header),
                    )
                rows.append(row)
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            "malformed-csv",
            "the line is not well-formed CSV ({reason}); correct it",
            f"{path}:{line}",
            reason=str(error),
        ) from None
    if not header:
        raise InputError("empty-file", "the file is empty; check that it is the right one", f"{path}:1")
    if not rows:
        raise InputError(
            "file-without-judgments",
            "the file has a header but no judgments; add at least one judgment",
            f"{path}:1",
        )
    return JudgmentTable(header, rows, Origin(str(path), lines))


def _checked_header(cells: list[str], path: str | Path) -> list[str]:
    names = [cell.strip() for cell in cells]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(
                "columns-named-alike",
                "two columns are named {column}; rename one",
                f"{path}:1",
                column=shown(name),
            )
    return names


@checked
def read_judgments(path: str | Path, *, gold: bool = False, scale: ScaleName = DEFAULT) -> Judgments:
    """Read judgments from a CSV file with at least `topic_id,unit_id,document_id,relevance_score`.

    With `gold`, also read the column `gold`, which marks a unit's anchors with H and N. Raise `InputError`
    with file and line for a missing column, for an empty id, and for a magnitude that is not a number from
    1e-100 to 1e100. With `scale="rating"`, the numbers are ratings from 0 to 1000.
    """
    return read_table(path).judgments(gold=gold, scale=scale)


def write_normalized(table: JudgmentTable, normalized: Iterable[float], out: TextIO) -> None:
    """Write the rows of `table` in the same order, with `normalized_relevance_score` added or replaced."""
    place = table.header.index(NORMALIZED) if NORMALIZED in table.header else len(table.header)
    header = _with_cell(table.header, place, NORMALIZED)
    pairs = zip(table.rows, normalized, strict=True)
    rows = (_with_cell(row, place, repr(float(value))) for row, value in pairs)
    out.writelines(csv_lines(chain([header], rows)))


def _with_cell(row: Sequence[str], place: int, cell: str) -> list[str]:
    return [*row[:place], cell, *row[place + 1 :]]

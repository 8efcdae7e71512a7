"""Parse judgments: CSV with a header, whose cells are kept as text."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..columns import MARKS, UNIT, refuse_outside
from ..compared import COMPARED_WITH
from ..errors import InputError, shown
from ..options import checked
from ..origin import Origin
from ..scales import DEFAULT, ScaleName, scale_named
from .csv_rows import csv_rows, refuse_row_unlike
from .detect import HEAD, delimiter_of, kind_of, refuse_other_kinds
from .jsonl import keys_of_first, rows_of_objects
from .numbers import parse_numbers
from .text import File, name_of, read_text, refuse_empty

REQUIRED: Final = ("topic_id", "unit_id", "document_id", "relevance_score")
NORMALIZED: Final = "normalized_relevance_score"


@dataclass(frozen=True)
class JudgmentTable:
    """A CSV file of judgments: every cell as text, and the number of the line on which each row begins."""

    header: list[str]
    rows: list[list[str]]
    origin: Origin

    def column(self, name: str) -> pl.Series:
        """Return the cells of a column, without white space at their ends.

        Raise `InputError` if the header does not name this column.
        """
        if name not in self.header:
            raise InputError(
                "csv-column-missing",
                "the header has no column {column}; add it",
                f"{self.origin.path}:1",
                column=name,
            )
        place = self.header.index(name)
        return pl.Series(name, [row[place].strip() for row in self.rows], dtype=pl.String)

    @property
    def has_anchors(self) -> bool:
        """Whether the file has the column `gold`, which marks the anchors of each unit."""
        return "gold" in self.header

    def judgment_columns(self, *, gold: bool) -> dict[str, pl.Series]:
        """Return the columns for `Judgments.from_columns`, with `relevance_score` still as text.

        With `gold`, include the anchor marks. Raise `InputError` if a required column is missing.
        """
        columns = {name: self.column(name) for name in REQUIRED}
        if "worker_id" in self.header:
            columns["worker_id"] = self.column("worker_id")
        if gold:
            columns["gold"] = self.column("gold")
        if COMPARED_WITH in self.header:
            columns[COMPARED_WITH] = self.column(COMPARED_WITH)
        return columns

    @checked
    def invalid_rows(self, *, gold: bool = False, scale: ScaleName = DEFAULT) -> list[int]:
        """Return the indexes of rows with an empty id, an invalid number or, with `gold`, an invalid mark.

        On a scale that compares pairs, also return the rows that compare a document with itself.
        """
        columns = self.judgment_columns(gold=gold)
        declared = scale_named(scale)
        values = columns["relevance_score"].cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        valid = pl.Series(~np.any([fault.finds(values) for fault in declared.faults], axis=0))
        pairs = [COMPARED_WITH] if declared.compares_pairs and COMPARED_WITH in columns else []
        for name in ("topic_id", "unit_id", "document_id", *pairs):
            valid &= columns[name] != ""
        for name in pairs:
            valid &= columns[name] != columns["document_id"]
        if gold:
            valid &= columns["gold"].is_in(list(MARKS))
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
        """Return the normalised numbers in row order.

        Raise `InputError` if the file has no column `normalized_relevance_score`, and for a value that is
        invalid on the scale. A magnitude must be a positive finite number, and a rating must not be negative.
        """
        if NORMALIZED not in self.header:
            raise InputError(
                "not-normalised",
                "the header has no column {column}; add it with plumbline normalise",
                f"{self.origin.path}:1",
                column=NORMALIZED,
            )
        cells = self.column(NORMALIZED)
        values = parse_numbers(NORMALIZED, cells, self.origin).to_numpy()
        refuse_outside(scale_named(scale), NORMALIZED, values, self.origin, is_normalised=True)
        return values


def read_table(path: File) -> JudgmentTable:
    """Read a CSV file with commas, semicolons or tabs between its cells, or JSONL.

    Raise `InputError` with file and line if it is malformed, or if it is a file of another kind.
    """
    text, name = read_text(path), name_of(path)
    head = text[:HEAD].encode()
    refuse_other_kinds(head, name, "jsonl")
    if kind_of(head) == "jsonl":
        keys = keys_of_first(text, name)
        return table_of_rows(chain([(1, keys)], rows_of_objects(text, name, keys)), name)
    delimiter = delimiter_of(text.partition("\n")[0]) or ","
    return table_of_rows(csv_rows(text, name, delimiter=delimiter), name)


def table_of_rows(numbered: Iterable[tuple[int, list[str]]], path: str) -> JudgmentTable:
    """Return the table with these rows, each with its line number. The first row is the header.

    `path` is the file of the rows. Raise `InputError` if there are no judgments, if two columns have the same
    name, and for a row that has more or fewer cells than the header.
    """
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] | None = None
    for line, row in numbered:
        if header is None:
            header = checked_header(row, path)
        elif row:
            refuse_row_unlike(header, row, f"{path}:{line}")
            rows.append(row)
            lines.append(line)
    if not header:
        refuse_empty(path)
    if not rows:
        raise InputError(
            "file-without-judgments",
            "the file has a header but no judgments; add at least one judgment",
            f"{path}:1",
        )
    return JudgmentTable(header, rows, Origin(path, lines))


def checked_header(cells: list[str], path: str) -> list[str]:
    """Return the names of the columns. Raise `InputError` if two columns have the same name."""
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

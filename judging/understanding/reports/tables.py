"""Tables as reports keep them: columns with their names and kinds, rows of numbers, texts and gaps."""

import json
import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Final, NotRequired, TypedDict

import polars as pl

from evaluation.errors import InputError
from judging.understanding.scoring import LETTERS

LONG: Final = 1_000
"""Rows; a longer table is packed, so that a page of a report need not read all of it."""
HEAD: Final = 50
"""Rows of a long table that stand unpacked: what a page shows of it at first."""

Cell = str | float | None
Row = list[Cell]


class DocumentRow(TypedDict):
    """A document of a pool, as its report keeps it; what a judgment would say is None without any."""

    document: str
    grade: str
    anchor: str
    judgments: int
    gain: float | None
    low: float | None
    high: float | None
    spread: float | None
    least: float | None
    most: float | None


class KeptTable(TypedDict):
    """A table of a report: its `rows`, or the `count` of its rows, the `head`, and all of them `packed`."""

    key: str
    title: str
    note: str
    columns: list[tuple[str, bool]]
    rows: NotRequired[list[Row]]
    count: NotRequired[int]
    head: NotRequired[list[Row]]
    packed: NotRequired[str]


def kept(
    key: str, title: str, table: pl.DataFrame, *, note: str = "", grades: tuple[str, ...] = ()
) -> KeptTable:
    """A table for a report: its `columns` are pairs, their names and whether they are numeric.

    Its rows are read by `rows_of` and counted by `number_of_rows`. The columns `grades` are written with
    their letters. Values are kept to the last bit; what is no number is a gap, and what is infinite a text,
    as JSON has neither.
    """
    columns = [(name, table[name].dtype.is_numeric() and name not in grades) for name in table.columns]
    lettered = [place for place, name in enumerate(table.columns) if name in grades]
    rows: list[Row] = []
    for row in table.iter_rows():
        cells: Row = [_cell(value) for value in row]
        for place in lettered:
            cells[place] = LETTERS[row[place]]
        rows.append(cells)
    made: KeptTable = {"key": key, "title": title, "note": note, "columns": columns}
    if len(rows) <= LONG:
        return {**made, "rows": rows}
    packed = zlib.compress(json.dumps(rows, separators=(",", ":")).encode())
    return {**made, "count": len(rows), "head": rows[:HEAD], "packed": b64encode(packed).decode()}


def rows_of(table: KeptTable, stop: int | None = None) -> list[Row]:
    """The rows of a kept table, or at least the first `stop` of them."""
    if "rows" in table:
        return table["rows"]
    if stop is not None and stop <= len(table["head"]):
        return table["head"]
    rows: list[Row] = json.loads(zlib.decompress(b64decode(table["packed"])))
    return rows


def number_of_rows(table: KeptTable) -> int:
    """How many rows a kept table has; none is unpacked for it."""
    return len(table["rows"]) if "rows" in table else table["count"]


def _cell(value: Cell) -> Cell:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("∞" if value > 0 else "−∞")
    return value


class Parts:
    """The parts of a report that could be made, and why the others could not."""

    def __init__(self) -> None:
        self.tables: list[KeptTable] = []
        self.missing: list[list[str]] = []

    def add(self, title: str, make: Callable[[], list[KeptTable]]) -> None:
        """Make a part; what the library refuses is told in its words."""
        try:
            self.tables += make()
        except InputError as fault:
            self.missing.append([title, str(fault)])

    def leave_out(self, title: str, why: str) -> None:
        self.missing.append([title, why])

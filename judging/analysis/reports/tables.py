"""Tables as reports keep them: columns with their names and kinds, rows of numbers, texts and gaps."""

import json
import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, Final

import polars as pl

from evaluation.errors import InputError

GRADES: Final = {0.0: "N", 1.0: "M", 2.0: "R", 3.0: "H", None: "U"}
"""Letters of the known grades; a document without one is U."""

LONG: Final = 1_000
"""Rows; a longer table is packed, so that a page of a report need not read all of it."""
HEAD: Final = 50
"""Rows of a long table that stand unpacked: what a page shows of it at first."""

Rows = list[list[Any]]


def kept(
    key: str, title: str, table: pl.DataFrame, *, note: str = "", grades: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A table for a report: `{"key", "title", "note", "columns": [[name, numeric]]}`, and its rows.

    These are read by `rows_of` and counted by `number_of_rows`. The columns `grades` are written with their
    letters. Values are kept to the last bit; what is no number is a gap, and what is infinite a text, as JSON
    has neither.
    """
    columns = [[name, table[name].dtype.is_numeric() and name not in grades] for name in table.columns]
    lettered = [place for place, name in enumerate(table.columns) if name in grades]
    rows = []
    for row in table.iter_rows():
        cells = [_cell(value) for value in row]
        for place in lettered:
            cells[place] = GRADES[cells[place]]
        rows.append(cells)
    return {"key": key, "title": title, "note": note, "columns": columns} | _stored(rows)


def rows_of(table: dict[str, Any], stop: int | None = None) -> Rows:
    """The rows of a kept table, or at least the first `stop` of them."""
    if "rows" in table:
        return table["rows"]
    if stop is not None and stop <= len(table["head"]):
        return table["head"]
    return json.loads(zlib.decompress(b64decode(table["packed"])))


def number_of_rows(table: dict[str, Any]) -> int:
    """How many rows a kept table has; none is unpacked for it."""
    return len(table["rows"]) if "rows" in table else table["count"]


def _stored(rows: Rows) -> dict[str, Any]:
    if len(rows) <= LONG:
        return {"rows": rows}
    packed = zlib.compress(json.dumps(rows, separators=(",", ":")).encode())
    return {"count": len(rows), "head": rows[:HEAD], "packed": b64encode(packed).decode()}


def _cell(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("∞" if value > 0 else "−∞")
    return value


class Parts:
    """The parts of a report that could be made, and why the others could not."""

    def __init__(self) -> None:
        self.tables: list[dict[str, Any]] = []
        self.missing: list[list[str]] = []

    def add(self, title: str, make: Callable[[], list[dict[str, Any]]]) -> None:
        """Make a part; what the library refuses is told in its words."""
        try:
            self.tables += make()
        except InputError as fault:
            self.missing.append([title, str(fault)])

    def leave_out(self, title: str, why: str) -> None:
        self.missing.append([title, why])

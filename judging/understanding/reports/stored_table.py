"""The tables that a report stores: columns with names and types, and rows of numbers, strings and None."""

import json
import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

import polars as pl

from judging.core.words import Translatable
from judging.understanding.reports.words import Words, stored

LONG: Final = 1_000
"""A table with more rows than this is compressed, so that a page does not parse all of them."""
HEAD: Final = 50
"""The number of rows of a long table that are also stored uncompressed, for the first page."""
MOST_DRAWN: Final = 2_000
"""If a table has more rows than this, charts on pages show only the `HEAD` rows that are stored uncompressed.
"""

Cell = str | float | None
Row = list[Cell]


class DocumentRow(TypedDict):
    """A document of a pool, in the form in which the report `documents` stores it.

    If the document has no judgments, `judgments` is 0, and the fields from `gain` to `most` are None.
    """

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


class StoredTable(TypedDict):
    """A table as a report stores it. A short table has `rows`.

    A long table has three other keys: `count` (the number of rows), `head` (the first rows) and `packed` (all
    rows). `part` is the key of the part of the report that contains the table. `sentences` say what the table
    shows. If the table has the scores for one kind of gains and one measure, `about` has the names of both.
    """

    key: str
    title: Words
    note: Words
    columns: list[tuple[str, bool]]
    rows: NotRequired[list[Row]]
    count: NotRequired[int]
    head: NotRequired[list[Row]]
    packed: NotRequired[str]
    part: NotRequired[str]
    sentences: NotRequired[Words]
    about: NotRequired[list[str]]


def table_to_store(
    key: str, title: str | Translatable, table: pl.DataFrame, *, note: Sequence[str | Translatable] = ()
) -> StoredTable:
    """Return a table in the form in which a report stores it.

    Each entry of the result's `columns` is a pair: the name of a column, and whether it is numeric. `rows_of`
    reads the rows, and `number_of_rows` counts them. Values are exact to the last bit. NaN becomes None and ∞
    becomes a string, because JSON has neither.
    """
    columns = [(name, table[name].dtype.is_numeric()) for name in table.columns]
    rows: list[Row] = [[_cell(value) for value in row] for row in table.iter_rows()]
    base: StoredTable = {
        "key": key,
        "title": stored(title),
        "note": words_to_store(note),
        "columns": columns,
    }
    if len(rows) <= LONG:
        return {**base, "rows": rows}
    packed = zlib.compress(json.dumps(rows, separators=(",", ":")).encode())
    return {**base, "count": len(rows), "head": rows[:HEAD], "packed": b64encode(packed).decode()}


def words_to_store(sentences: Sequence[str | Translatable]) -> Words:
    """Return sentences in the form in which a report stores them."""
    return [stored(sentence) for sentence in sentences]


def rows_of(table: StoredTable, stop: int | None = None) -> list[Row]:
    """Return the rows of a stored table, or at least the first `stop` rows."""
    if "rows" in table:
        return table["rows"]
    if stop is not None and stop <= len(table["head"]):
        return table["head"]
    rows: list[Row] = json.loads(zlib.decompress(b64decode(table["packed"])))
    return rows


def rows_to_draw(table: StoredTable) -> list[Row]:
    """Return the rows of a stored table for a chart.

    If the table has more than `MOST_DRAWN` rows, return only its first rows, which are stored uncompressed.
    """
    if "head" in table and table["count"] > MOST_DRAWN:
        return table["head"]
    return rows_of(table)


def column_names(table: StoredTable) -> list[str]:
    """Return the names of the columns of a stored table."""
    return [name for name, _numeric in table["columns"]]


def find_table(tables: Sequence[StoredTable], key: str) -> StoredTable | None:
    """Return the table with this key, or None."""
    return next((table for table in tables if table["key"] == key), None)


def number_of_rows(table: StoredTable) -> int:
    """Return the number of rows of a stored table, without unpacking them."""
    return len(table["rows"]) if "rows" in table else table["count"]


def _cell(value: Cell) -> Cell:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("∞" if value > 0 else "−∞")
    return value

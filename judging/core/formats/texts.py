"""Write tables in every format: CSV, CSV for spreadsheets, JSON Lines, TREC qrels and Parquet.

In the text formats, numbers have as few digits as possible without losing precision, and times are in UTC, as
ISO 8601. Only CSV for spreadsheets changes text that workers typed.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from evaluation.files.csv_lines import csv_lines as _csv_rows
from judging.core.formats.export_table import Table
from judging.core.formats.parquet import parquet_chunks
from judging.core.formats.spreadsheets import MARK, SPREADSHEET, made_harmless
from judging.core.published.table import Cell, Objects
from judging.models import Study

csv_rows: Final = _csv_rows
"""Converts rows to lines of CSV. Use this for rows that do not come from a `Table`."""
JsonCell = str | int | float | bool | Objects | None
JsonRow = dict[str, JsonCell]
_QRELS: Final = 4
LINES_AT_ONCE: Final = 500
"""The number of lines in a chunk. A system call for each line would be slow."""


def csv_lines(table: Table) -> Iterator[str]:
    """Return lines of CSV (RFC 4180, with line feeds).

    `None` is written as an empty cell, `True` as 1 and `False` as 0.
    """
    rows = ([cell if type(cell) in _WRITTEN_AS_IS else _csv_cell(cell) for cell in row] for row in table.rows)
    return csv_rows(chain([table.names], rows))


def spreadsheet_lines(table: Table) -> Iterator[str]:
    """Return lines of CSV that are safe in a spreadsheet.

    The lines do not always show exactly what a worker typed, because some cells get an apostrophe.
    """
    return chain([MARK], csv_lines(made_harmless(table)))


def jsonl_lines(table: Table) -> Iterator[str]:
    """Return one line per row, each a JSON object. `None` is written as `null`."""
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in json_rows(table))


def json_rows(table: Table) -> Iterator[JsonRow]:
    """Yield each row as a dict from column name to a value that JSON can store."""
    names = table.names
    for row in table.rows:
        yield {name: _json_cell(cell) for name, cell in zip(names, row, strict=True)}


def qrels_lines(table: Table) -> Iterator[str]:
    """Yield lines with the four cells of qrels, separated by tabs, without a header. Leave out the others."""
    for row in table.rows:
        yield "\t".join(str(_csv_cell(cell)) for cell in row[:_QRELS]) + "\n"


TEXTS: Final[dict[str, Callable[[Table], Iterator[str]]]] = {
    "csv": csv_lines,
    "jsonl": jsonl_lines,
    "qrels": qrels_lines,
    SPREADSHEET: spreadsheet_lines,
}
PARQUET: Final = "parquet"
ZIP: Final = "zip"
MEDIA_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "qrels": "text/plain; charset=utf-8",
    SPREADSHEET: "text/csv; charset=utf-8",
    PARQUET: "application/vnd.apache.parquet",
    ZIP: "application/zip",
}
_ENDINGS: Final = {"qrels": ".txt", SPREADSHEET: ".spreadsheet.csv"}


def laid_out(table: Table, form: str) -> Generator[bytes, None, None]:
    """Return the bytes of a table as Parquet or in one of the formats in `TEXTS`. Text formats use UTF-8."""
    if form == PARQUET:
        return parquet_chunks(table)
    return _encoded(TEXTS[form](table))


def _encoded(lines: Iterable[str]) -> Generator[bytes, None, None]:
    remaining_lines = iter(lines)
    while chunk := "".join(islice(remaining_lines, LINES_AT_ONCE)):
        yield chunk.encode()


_WRITTEN_AS_IS: Final = frozenset({str, int, float})
"""Types that the csv module writes correctly. Nearly all cells have these types."""


def _csv_cell(cell: Cell) -> JsonCell:
    if cell is None:
        return ""
    return int(cell) if isinstance(cell, bool) else _json_cell(cell)


def _json_cell(cell: Cell) -> JsonCell:
    if isinstance(cell, datetime):
        return moment(cell)
    return str(cell) if isinstance(cell, Decimal) else cell


@lru_cache(maxsize=64)  # consecutive judgments of a unit have the same time
def moment(at: datetime) -> str:
    """Return a time in UTC as ISO 8601, ending in `Z`."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def file_name(study: Study, export: str, form: str) -> str:
    """Return the file name of an export."""
    return f"{study.slug}-{export}{_ENDINGS.get(form, f'.{form}')}"

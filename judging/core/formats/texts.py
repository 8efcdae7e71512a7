"""Tables as files in every format: CSV, JSON Lines and the layout of TREC qrels line by line, and Parquet.

Numbers are written in the fewest digits that give back the very same value, times in UTC as ISO 8601.
What a worker typed comes out as it was typed: nothing is changed to please a spreadsheet, but in the one
format that is made for them.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from evaluation.files.csv_lines import csv_lines as _csv_rows
from judging.core.formats.parquet import parquet_chunks
from judging.core.formats.spreadsheets import MARK, SPREADSHEET, made_harmless
from judging.core.formats.tables import Table
from judging.core.published.base import Cell
from judging.models import Study

csv_rows: Final = _csv_rows
"""The lines of rows that are no table of ours."""
JsonCell = str | int | float | bool | None
JsonRow = dict[str, JsonCell]
LINES_AT_ONCE: Final = 500
"""Writing line by line would cost a system call a line."""


def csv_lines(table: Table) -> Iterator[str]:
    """RFC 4180 with line feeds; an absent value is an empty cell, true and false are 1 and 0."""
    rows = ([cell if type(cell) in _AS_THEY_ARE else _csv_cell(cell) for cell in row] for row in table.rows)
    return csv_rows(chain([table.names], rows))


def spreadsheet_lines(table: Table) -> Iterator[str]:
    """CSV as above with a byte-order mark, in which no text is run as a formula; not to be read back."""
    return chain([MARK], csv_lines(made_harmless(table)))


def jsonl_lines(table: Table) -> Iterator[str]:
    """An object a line; an absent value is null."""
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in json_rows(table))


def json_rows(table: Table) -> Iterator[JsonRow]:
    """The rows as objects, with nothing in them that JSON does not know."""
    names = table.names
    for row in table.rows:
        yield {name: _json_cell(cell) for name, cell in zip(names, row, strict=True)}


def qrels_lines(table: Table) -> Iterator[str]:
    """Cells parted by tabs, without a header."""
    for row in table.rows:
        yield "\t".join(str(_csv_cell(cell)) for cell in row) + "\n"


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
    """The bytes of a table; `form` is one of `TEXTS`, in UTF-8, or Parquet."""
    if form == PARQUET:
        return parquet_chunks(table)
    return _encoded(TEXTS[form](table))


def _encoded(lines: Iterable[str]) -> Generator[bytes, None, None]:
    rest = iter(lines)
    while chunk := "".join(islice(rest, LINES_AT_ONCE)):
        yield chunk.encode()


_AS_THEY_ARE: Final = frozenset({str, int, float})
"""What the csv module writes as we want it; nearly all cells are of these types."""


def _csv_cell(cell: Cell) -> JsonCell:
    if cell is None:
        return ""
    return int(cell) if isinstance(cell, bool) else _json_cell(cell)


def _json_cell(cell: Cell) -> JsonCell:
    if isinstance(cell, datetime):
        return moment(cell)
    return str(cell) if isinstance(cell, Decimal) else cell


@lru_cache(maxsize=64)  # the judgments of a unit follow each other, and have the time of its end in common
def moment(at: datetime) -> str:
    """A time in UTC as ISO 8601, `Z` at its end."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def file_name(study: Study, what: str, form: str) -> str:
    """A name to save an export under."""
    return f"{study.slug}-{what}{_ENDINGS.get(form, f'.{form}')}"

"""Tables as bytes, in whatever layout: what every door to the exports hands on."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from judging.core.formats.parquet import parquet_chunks
from judging.core.formats.tables import Table
from judging.core.formats.texts import PARQUET, TEXTS

LINES_AT_ONCE: Final = 500
"""A line a write would keep a server busy with writing."""


def laid_out(table: Table, form: str) -> Iterator[bytes]:
    """The bytes of a table; `form` is one of `TEXTS`, in UTF-8, or Parquet."""
    if form == PARQUET:
        return parquet_chunks(table)
    return _encoded(TEXTS[form](table))


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    rest = iter(lines)
    while chunk := "".join(islice(rest, LINES_AT_ONCE)):
        yield chunk.encode()

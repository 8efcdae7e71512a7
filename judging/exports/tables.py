"""A table on its way out: names of columns, and rows that are made while they are written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

Cell = str | int | float | bool | datetime | Decimal | None


@dataclass(frozen=True)
class Table:
    """`header` says whether CSV begins with the names of the columns."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]
    header: bool = True


def of(row_type: type[NamedTuple], rows: Iterable[Sequence[Cell]]) -> Table:
    """A table whose columns are the fields of its rows."""
    return Table(row_type._fields, rows)

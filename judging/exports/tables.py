"""A table on its way out: names of columns, and rows that are made while they are written."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

Cell = str | int | float | bool | datetime | Decimal | None


@dataclass(frozen=True)
class Table:
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def of(row_type: type[NamedTuple], rows: Iterable[Sequence[Cell]]) -> Table:
    """A table whose columns are the fields of its rows."""
    return Table(row_type._fields, rows)


Told = Callable[[int], None]
"""Called now and then with the number of rows so far."""
_BETWEEN: Final = 100


def nobody(rows: int) -> None:
    """Who need not be told."""


class CountedRows:
    """Rows that are counted while they pass by."""

    def __init__(self, rows: Iterable[Sequence[Cell]], told: Told) -> None:
        self._rows = rows
        self._told = told
        self.count = 0

    def __iter__(self) -> Iterator[Sequence[Cell]]:
        for row in self._rows:
            self.count += 1
            if self.count % _BETWEEN == 0:
                self._told(self.count)
            yield row


@dataclass(frozen=True)
class CountedTable(Table):
    """A table that tells, when it is read, how many rows it had."""

    rows: CountedRows


def counted(table: Table, told: Told = nobody) -> CountedTable:
    """The same table, counting its rows while they are read."""
    return CountedTable(table.columns, CountedRows(table.rows, told))

"""A table on its way out: its columns, and rows that are made while they are written."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from judging.core.published.base import Cell, Column, Published, Row
from judging.models import Study


@dataclass(frozen=True)
class Table:
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


def of(table: Published[Row], study: Study, rows: Iterable[Row] | None = None) -> Table:
    """A published table of a study: all its rows, or these."""
    return Table(table.columns(study), table.cells(table.rows(study) if rows is None else rows))


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

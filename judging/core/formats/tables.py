"""A table on its way out: its columns, and rows that are made while they are written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from judging.core.published.base import Cell, Column, Published, Row
from judging.models import Study


@dataclass(frozen=True)
class Table:
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


Told = Callable[[int], None]
"""Called now and then with the number of rows so far."""


def nobody(rows: int) -> None:
    """Who need not be told."""


def of(table: Published[Row], study: Study, rows: Iterable[Row] | None = None) -> Table:
    """A published table of a study: all its rows, or these."""
    return Table(table.columns(study), table.cells(table.rows(study) if rows is None else rows))

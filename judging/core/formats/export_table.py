"""A table to export: its columns, and rows that are computed while they are written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from judging.core.published.table import Cell, Column, Published, Row
from judging.models import Study


@dataclass(frozen=True)
class Table:
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


OnRows = Callable[[int], None]
"""A function that reports progress. It is called from time to time with the number of rows so far."""


def ignore_rows(rows: int) -> None:
    """Do nothing. This is the default where no progress is reported."""


def of(table: Published[Row], study: Study, rows: Iterable[Row] | None = None) -> Table:
    """Return a published table of a study, ready for export. If `rows` is None, include all rows."""
    return Table(table.columns(study), table.cells(table.rows(study) if rows is None else rows, study))

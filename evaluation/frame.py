"""The table that judgments, gains and runs are: its rows have been checked."""

from dataclasses import dataclass, fields
from typing import Self

import polars as pl

from .origin import NO_FILE, Origin
from .showing import counted, html_table


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Frame:
    """A checked table, and the file and the lines that its rows come from."""

    table: pl.DataFrame
    origin: Origin

    def __repr__(self) -> str:
        """Return the class, the numbers of rows and topics, and the file."""
        rows, topics = counted(len(self.table), "row"), counted(self.table["topic_id"].n_unique(), "topic")
        source = [] if self.origin.path is None else [f"from {self.origin.path}"]
        return f"{type(self).__name__}({', '.join([*self._details(), rows, topics, *source])})"

    def _repr_html_(self) -> str:
        return html_table(repr(self), self.table.columns, self.table.iter_rows())

    def _details(self) -> list[str]:
        """Return what else the repr says."""
        return []

    @classmethod
    def from_checked(cls, table: pl.DataFrame, origin: Origin = NO_FILE) -> Self:
        """Return a frame with these rows, without checking them again."""
        frame = object.__new__(cls)
        frame.__dict__.update(table=table, origin=origin)
        return frame

    def replaced(self, *, table: pl.DataFrame | None = None, origin: Origin | None = None) -> Self:
        """Return a copy of the frame with another table or another origin. The new rows are not checked."""
        frame = object.__new__(type(self))
        # Copy only the fields: values computed from the old table, such as hashes, would be wrong.
        frame.__dict__.update({part.name: getattr(self, part.name) for part in fields(self)})
        frame.__dict__.update(
            table=self.table if table is None else table, origin=self.origin if origin is None else origin
        )
        return frame

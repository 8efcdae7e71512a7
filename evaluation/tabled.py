"""Results of several tables: one for each question, with the answers in sentences above them."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import polars as pl

from . import rendering
from .options import unknown_option
from .rendering import Cell, Table
from .text import Text
from .versions import versions

DIGITS: Final = 3


class Tabled(ABC):
    """A result of several polars tables, each an attribute with a name in `TITLES`.

    A subclass defines `TITLES`, `sentences`, and in `settings` what else `to_dict` contains.
    """

    TITLES: ClassVar[Mapping[str, Text]]

    @property
    @abstractmethod
    def sentences(self) -> list[Text]:
        """What can be said, the most important first. The `str()` of each sentence is English."""

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Return how the result was computed, as JSON can store it."""

    @property
    def parts(self) -> list[str]:
        """The names of the tables that have a value besides the names of their rows."""
        return [part for part in self.TITLES if _has_values(self.to_polars(part))]

    @property
    def sentence(self) -> Text | None:
        """The first of the sentences, or None if nothing can be said."""
        return next(iter(self.sentences), None)

    def to_polars(self, part: str) -> pl.DataFrame:
        """Return the table named `part`. Raise `InputError` if there is no such part."""
        if part not in self.TITLES:
            raise unknown_option("part", part, self.TITLES)
        table: pl.DataFrame = getattr(self, part)
        return table

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON can store it."""
        return {
            "sentences": [str(text) for text in self.sentences],
            **self.settings(),
            "versions": versions(),
            **{part: self.to_polars(part).to_dicts() for part in self.TITLES},
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)

    def to_table(self, part: str, digits: int = DIGITS) -> Table:
        """Return the table named `part` for readers. Columns without any value are left out."""
        write = rendering.formatter(digits)
        table = self.to_polars(part)
        table = table.select(column for column in table if column.null_count() < len(column))
        rows = (
            tuple(Cell(write(cell) if isinstance(cell, float) else _text(cell)) for cell in row)
            for row in table.iter_rows()
        )
        heads = sum(kind == pl.String for kind in table.dtypes)
        return Table(str(self.TITLES[part]), tuple(table.columns), tuple(rows), heads)

    def to_text(self, part: str, *, digits: int = DIGITS) -> str:
        """Return the table named `part` for a terminal. Raise `InputError` if there is no such part."""
        return rendering.to_text(self.to_table(part, digits))

    def __repr__(self) -> str:
        tables = (rendering.to_text(self.to_table(part)) for part in self.parts)
        return "\n\n".join([*(rendering.paragraph(str(text)) for text in self.sentences), *tables])

    def _repr_html_(self) -> str:
        tables = (rendering.to_html(self.to_table(part)) for part in self.parts)
        return "\n".join([*(f"<p>{text}</p>" for text in self.sentences), *tables])


def _has_values(table: pl.DataFrame) -> bool:
    numbers = table.select(pl.exclude(pl.String))
    return any(column.null_count() < len(column) for column in numbers)


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

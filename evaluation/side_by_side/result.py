"""The result of comparing arms: one table for each question, and the answer in sentences."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, get_args

import polars as pl

from .. import rendering
from ..options import checked
from ..rendering import Cell, Table
from ..result.result import Result
from ..text import Text
from ..versions import versions
from .sentences import answer

Part = Literal["cost", "time", "failures", "agreement", "between", "power", "ranking", "rankings"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
TITLES: Final[dict[Part, Text]] = {
    "cost": Text("Cost"),
    "time": Text("Time: medians, in seconds"),
    "failures": Text("Attempts at units that failed or were given up"),
    "agreement": Text("Agreement within each arm: Krippendorff’s α"),
    "between": Text("Agreement between arms: the order of the documents"),
    "power": Text("Pairs of runs that each arm tells apart, and at the same cost"),
    "ranking": Text("Means of the runs"),
    "rankings": Text("Rankings of the runs, compared"),
}
DIGITS: Final = 3


@dataclass(frozen=True, eq=False, repr=False)
class SideBySide:
    """Arms side by side.

    The attributes named like `PARTS` are polars tables, which the functions of this package describe. A table
    without rows means that the data for it is missing, such as runs. `results` has what `compare` says of the
    runs, by arm. `in_money` says whether the cost of all arms is known: otherwise, “the same cost” is equally
    many judgments.
    """

    measure: str
    cost: pl.DataFrame
    time: pl.DataFrame
    failures: pl.DataFrame
    agreement: pl.DataFrame
    between: pl.DataFrame
    power: pl.DataFrame
    ranking: pl.DataFrame
    rankings: pl.DataFrame
    results: Mapping[str, Result]
    in_money: bool
    currency: str
    level: float
    alpha: float
    draws: int
    resamples: int
    seed: int

    @property
    def parts(self) -> list[Part]:
        """The names of the tables that have a value besides the names of their rows."""
        return [part for part in PARTS if _has_values(self.to_polars(part))]

    @cached_property
    def sentences(self) -> list[Text]:
        """What can be said of the arms. The `str()` of each sentence is English."""
        return answer(self.agreement, self.power, self.rankings, in_money=self.in_money)

    @property
    def sentence(self) -> Text | None:
        """The first of the sentences, or None if nothing can be said."""
        return next(iter(self.sentences), None)

    @checked
    def to_polars(self, part: Part) -> pl.DataFrame:
        """Return the table named `part`. Raise `InputError` if there is no such part."""
        table: pl.DataFrame = getattr(self, part)
        return table

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON can store it."""
        return {
            "sentences": [str(text) for text in self.sentences],
            "measure": self.measure,
            "same_cost": "money" if self.in_money else "judgments",
            "currency": self.currency or None,
            "level": self.level,
            "alpha": self.alpha,
            "draws": self.draws,
            "resamples": self.resamples,
            "seed": self.seed,
            "versions": versions(),
            **{part: self.to_polars(part).to_dicts() for part in PARTS},
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)

    @checked
    def to_table(self, part: Part, digits: int = DIGITS) -> Table:
        """Return the table named `part` for readers. Columns without any value are left out."""
        write = rendering.formatter(digits)
        table = self.to_polars(part)
        table = table.select(column for column in table if column.null_count() < len(column))
        rows = (
            tuple(Cell(write(cell) if isinstance(cell, float) else _text(cell)) for cell in row)
            for row in table.iter_rows()
        )
        heads = sum(kind == pl.String for kind in table.dtypes)
        return Table(str(TITLES[part]), tuple(table.columns), tuple(rows), heads)

    @checked
    def to_text(self, part: Part, *, digits: int = DIGITS) -> str:
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

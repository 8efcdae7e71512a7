"""The result of comparing arms: one table for each question, and the answer in sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import polars as pl

from ..result.result import Result
from ..tabled import Tabled
from ..text import Text
from .sentences import answer

TITLES: Final = {
    "cost": Text("Cost"),
    "time": Text("Time: medians, in seconds"),
    "failures": Text("Attempts at units that failed or were given up"),
    "agreement": Text("Agreement within each arm: Krippendorff’s α"),
    "between": Text("Agreement between arms: the order of the documents"),
    "power": Text("Pairs of runs that each arm tells apart, and at the same cost"),
    "ranking": Text("Means of the runs"),
    "rankings": Text("Rankings of the runs, compared"),
}
PARTS: Final = tuple(TITLES)


@dataclass(frozen=True, eq=False, repr=False)
class SideBySide(Tabled):
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

    TITLES: ClassVar = TITLES

    @cached_property
    def sentences(self) -> list[Text]:
        """What can be said of the arms. The `str()` of each sentence is English."""
        return answer(self.agreement, self.power, self.rankings, in_money=self.in_money)

    def settings(self) -> dict[str, Any]:
        """Return how the arms were compared, as JSON can store it."""
        return {
            "measure": self.measure,
            "same_cost": "money" if self.in_money else "judgments",
            "currency": self.currency or None,
            "level": self.level,
            "alpha": self.alpha,
            "draws": self.draws,
            "resamples": self.resamples,
            "seed": self.seed,
        }

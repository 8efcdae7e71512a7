"""The result of comparing judges with people: one table for each question, and the answer in sentences."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import polars as pl

from ..comparison.kappa import Weights
from ..options import checked
from ..tabled import Tabled
from ..text import Text
from .sentences import answer

TITLES: Final = {
    "agreement": Text("Agreement with people"),
    "worth": Text("What labels explain of the gains within topics, and how many judgments they save"),
    "systems": Text("The ranking of the runs beside that by people: Kendall’s τ_b"),
    "favour": Text("By how much a judge favours runs of its own family"),
    "annotators": Text("The judge beside the workers: the alternative annotator test"),
    "followers": Text("Workers whose numbers follow the labels"),
    "spread": Text("The spread of labels beside that of people’s gains"),
    "bias": Text("By how much labels are too high"),
    "calibration": Text("People’s mean gain of the documents with each label"),
}
PARTS: Final = tuple(TITLES)


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Tabled):
    """Judges beside people.

    The attributes named like `PARTS` are polars tables, which the functions of this package describe. A table
    without rows means that the data for it is missing, such as runs or workers. In every table, `low` and
    `high` are the interval of `value`.
    """

    measure: str
    agreement: pl.DataFrame
    worth: pl.DataFrame
    systems: pl.DataFrame
    favour: pl.DataFrame
    annotators: pl.DataFrame
    followers: pl.DataFrame
    spread: pl.DataFrame
    bias: pl.DataFrame
    calibration: pl.DataFrame
    weights: Weights
    level: float
    resamples: int
    seed: int

    TITLES: ClassVar = TITLES

    @cached_property
    def sentences(self) -> list[Text]:
        """What can be said of the judges. The `str()` of each sentence is English."""
        return answer(self.worth, self.systems, self.favour, self.annotators, self.followers)

    def settings(self) -> dict[str, Any]:
        """Return how the judges were compared with people, as JSON can store it."""
        return {
            "measure": self.measure,
            "weights": self.weights,
            "level": self.level,
            "resamples": self.resamples,
            "seed": self.seed,
        }

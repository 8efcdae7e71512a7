"""Budgets: what to expect from a fixed study, an adaptive one, or one that judges a sample."""

from dataclasses import asdict, dataclass, replace
from typing import Final, Literal, get_args

import polars as pl

from ..comparison.system_intervals import Target
from ..options import checked
from ..showing import short_repr
from .refusals import refuse_half_width

Way = Literal["fixed", "adaptive", "sampled", "predicted"]
WAYS: Final = get_args(Way)
"""The ways to spend a budget. `predicted` is a sample with predictions of all gains."""


@checked
@short_repr
@dataclass(frozen=True)
class Budget:
    """What to expect from a budget.

    `way` is how it is spent. A `"fixed"` study judges all documents equally often. In an `"adaptive"` study,
    the documents that matter most for the ranking get more judgments. A `"sampled"` study judges a sample in
    which each document has a known chance, and a `"predicted"` one also has predictions of all gains.
    `explained` is the share of the variance of gains within a topic that these predictions explain, or None
    for the other ways.

    `share` is the share of documents that are judged, and `judgments` is the mean number of judgments for
    each of them. `documents`, `units` and `magnitudes` are totals of the study. `documents` leaves out the
    anchors, and `magnitudes` includes their judgments. `cost` is the pay, the fee and what the predictions
    cost.

    The half-widths are of the 95 % interval of the difference between two runs, on these topics and for new
    topics. The powers are the chances to find a difference with these intervals. Half-widths and the
    difference are shares of the mean score of all runs. Both are for a typical pair of runs: the variance is
    the mean over all pairs. `tau` is the expected Kendall's τ between the study's ranking of the runs and the
    ranking by the gains of all documents without noise. The numbers for new topics are None with one topic.
    """

    way: Way
    explained: float | None
    topics: int
    share: float
    judgments: int
    documents: int
    units: int
    magnitudes: int
    cost: float
    hours: float
    half_width: float
    half_width_new_topics: float | None
    tau: float
    power: float
    power_new_topics: float | None

    @checked
    def half_width_of(self, target: Target) -> float | None:
        """Return the half-width for a target. Raise `InputError` for an unknown target."""
        return self.half_width if target == "these_topics" else self.half_width_new_topics


@short_repr
@dataclass(frozen=True)
class Budgets:
    """What each budget buys, sorted by topics, way, quality of predictions, share and judgments.

    `measure` is the measure of the scores, and `systems` is the number of runs. `score` is the mean score of
    all runs: multiply a half-width by it to get the half-width in units of the measure. `difference` is the
    difference whose powers are stated, as a share of `score`.
    """

    budgets: tuple[Budget, ...]
    measure: str
    systems: int
    score: float
    difference: float

    def at(
        self, way: str, topics: int, share: float, judgments: int, explained: float | None = None
    ) -> Budget:
        """Return the budget for these numbers. Raise KeyError if there is none."""
        key = (way, topics, share, judgments, explained)
        for budget in self.budgets:
            if (budget.way, budget.topics, budget.share, budget.judgments, budget.explained) == key:
                return budget
        raise KeyError(key)

    @checked
    def reaching(self, half_width: float, target: Target = "these_topics") -> "Budgets":
        """Return the budgets with this half-width or a smaller one, the cheapest first.

        Of two budgets with the same cost, the one with fewer units comes first, and then the one with the
        smaller half-width. The result has no budgets if none is enough. Raise `InputError` for a half-width
        that is not a finite number above 0, and for an unknown target.
        """
        refuse_half_width(half_width)
        widths = [(budget, budget.half_width_of(target)) for budget in self.budgets]
        reached = [(budget, width) for budget, width in widths if width is not None and width <= half_width]
        reached.sort(key=lambda pair: (pair[0].cost, pair[0].units, pair[1]))
        return replace(self, budgets=tuple(budget for budget, _ in reached))

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each budget. Its columns are the fields of `Budget`."""
        return pl.DataFrame([asdict(budget) for budget in self.budgets], schema=_COLUMNS)


_COLUMNS: Final = {
    "way": pl.String,
    "explained": pl.Float64,
    "topics": pl.Int64,
    "share": pl.Float64,
    **dict.fromkeys(("judgments", "documents", "units", "magnitudes"), pl.Int64),
    **dict.fromkeys(("cost", "hours", "half_width", "half_width_new_topics", "tau"), pl.Float64),
    **dict.fromkeys(("power", "power_new_topics"), pl.Float64),
}

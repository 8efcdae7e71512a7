"""How many pairs of runs an arm can tell apart: with all its judgments, and at the same cost as the others.

**The same cost.** The budget is half of what the cheapest arm cost. From each arm, units are drawn at random,
without replacement and the same share in every topic, until they cost as much as the budget. So no arm uses
all of its units, and the draws show how far the result depends on which units were judged.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.anova import anova, honest_difference
from ..errors import InputError
from ..frames import Judgments
from ..runs import Runs
from ..scores import score
from .arm import Arm
from .spending import has_prices, price_of, units_of

POWER: Final = {
    "arm": pl.String,
    "pairs": pl.Int64,
    "power": pl.Float64,
    "budget": pl.Float64,
    "units": pl.Int64,
    "power_at_budget": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
BUDGET: Final = 0.5
"""The budget, as a share of what the cheapest arm cost."""


def power_table(
    arms: Sequence[Arm], runs: Runs, measure: str, *, alpha: float, level: float, draws: int, seed: int
) -> pl.DataFrame:
    """Return the columns of `POWER`, with a row for each arm.

    `power` is the share of the `pairs` of runs with a significant difference by Tukey's HSD test, in which p
    already takes the number of pairs into account [Sakai 2012]. `budget` is in money or, if the cost of an
    arm is unknown, in judgments; `units` is the number of units that it buys. `power_at_budget` is the mean
    over `draws` draws of such units, and the interval has `level` of the draws.
    """
    in_money = has_prices(arms)
    budget = BUDGET * min(price_of(arm, in_money=in_money) for arm in arms)
    rows = []
    for arm in arms:
        rng = np.random.default_rng(seed)
        share = budget / price_of(arm, in_money=in_money)
        drawn = [draw_units(arm.judgments, share, rng) for _ in range(draws)]
        values = np.array([told_apart(arm, some, runs, measure, alpha)[1] for some in drawn])
        pairs, power = told_apart(arm, arm.judgments, runs, measure, alpha)
        at_budget = _summary(values[~np.isnan(values)], level)
        rows.append((arm.name, pairs, _or_none(power), budget, units_of(drawn[0]), *at_budget))
    return pl.DataFrame(rows, schema=POWER, orient="row")


def _summary(values: FloatArray, level: float) -> tuple[float | None, float | None, float | None]:
    """Return the mean of the draws, and the bounds between which `level` of them lie."""
    if not values.size:
        return None, None, None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(values.mean()), float(low), float(high)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value


def draw_units(judgments: Judgments, share: float, rng: np.random.Generator) -> Judgments:
    """Return the judgments of a random share of the units of each topic, but of at least one unit."""
    units = judgments.table.select(judgments.unit_keys).unique(maintain_order=True)
    drawn = [
        of_topic[rng.permutation(of_topic.height)[: max(1, round(share * of_topic.height))].tolist()]
        for of_topic in units.partition_by("topic_id", maintain_order=True)
    ]
    keys = judgments.unit_keys
    return judgments.replaced(
        table=judgments.table.join(pl.concat(drawn), on=keys, how="semi", nulls_equal=True)
    )


def told_apart(arm: Arm, judgments: Judgments, runs: Runs, measure: str, alpha: float) -> tuple[int, float]:
    """Return the number of pairs of runs, and the share that the judgments tell apart, or NaN."""
    scores = score(arm.gains(judgments), runs, measure)
    number = len(scores.runs)
    pairs = number * (number - 1) // 2
    try:
        result = anova(scores.values[:, :, 0])
    except InputError:  # fewer than two runs, or too few topics
        return pairs, float("nan")
    first, second = np.triu_indices(number, 1)
    apart = np.abs(result.means[first] - result.means[second])
    return pairs, float((apart > honest_difference(result, alpha)).mean())

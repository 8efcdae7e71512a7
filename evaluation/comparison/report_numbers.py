"""Compute the tables of a comparison: means with intervals, tests of pairs, and top sets."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..measures import as_printed, bounds_of, known_measure
from ..score_table import Scores
from .choices import Choices
from .holm import holm
from .intervals import Bounds, bootstrap_interval, t_interval
from .pair_tests import TESTS, Pair
from .topset import top_set, top_set_by

if TYPE_CHECKING:
    pass
_MEANS: Final = {
    "measure": pl.String,
    "run": pl.String,
    "topics": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
_RESULTS: Final = {
    "measure": pl.String,
    "test": pl.String,
    "first": pl.String,
    "second": pl.String,
    "difference": pl.Float64,
    "statistic": pl.Float64,
    "p": pl.Float64,
    "effect": pl.Float64,
    "n": pl.Int64,
    "method": pl.String,
}
"""The columns of `pairs` before p is adjusted.

The first four name the measure, the test and the two runs. The others are the fields of `PairResult`.
"""
_PAIRS: Final = [*list(_RESULTS)[:7], "adjusted", *list(_RESULTS)[7:]]
_OVERALL: Final = {
    "measure": pl.String,
    "test": pl.String,
    "statistic": pl.Float64,
    "p": pl.Float64,
    "n": pl.Int64,
}
_TOP_SETS: Final = {"measure": pl.String, "run": pl.String, "mean": pl.Float64, "p": pl.Float64}


def means_table(scores: Scores, choices: Choices) -> pl.DataFrame:
    """Return the table `means` of the comparison."""
    means = {(row.run, row.measure): row.value for row in scores.means()}
    rows = []
    for m, measure in enumerate(scores.measures):
        for r, run in enumerate(scores.runs):
            values = scores.values[r, :, m]
            bounds = _bounds(values, measure, choices) if _is_of_mean(scores, r, m) else None
            low, high = as_printed(measure, bounds or (None, None))
            rows.append((measure, run, int((~np.isnan(values)).sum()), means[run, measure], low, high))
    return pl.DataFrame(rows, schema=_MEANS, orient="row")


def _is_of_mean(scores: Scores, run: int, measure: int) -> bool:
    """Return whether the value over all topics is computed from the mean of the topics' values."""
    if scores.pooled is None or np.isnan(scores.pooled[run, measure]):
        return True
    known = known_measure(scores.measures[measure])
    return known is not None and known.definition.is_logarithm


def _bounds(values: FloatArray, measure: str, choices: Choices) -> Bounds | None:
    if choices.interval == "t":
        return t_interval(values, level=choices.level, within=bounds_of(measure))
    rng = np.random.default_rng(choices.seed)
    return bootstrap_interval(values, rng, level=choices.level, resamples=choices.resamples)


def test_tables(scores: Scores, choices: Choices) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the tables `pairs` and `overall` of the comparison."""
    pairs = _pairs(scores.runs, choices.baseline)
    rows, overall = [], []
    for m, measure in enumerate(scores.measures):
        for name in choices.tests:
            results, of_all = TESTS[name].run(scores.values[..., m], pairs, choices)
            overall += [] if of_all is None else [(measure, *of_all)]
            for (first, second), result in zip(pairs, results, strict=True):
                rows.append((measure, name, scores.runs[first], scores.runs[second], *result))
    table = pl.DataFrame(rows, schema=_RESULTS, orient="row").with_columns(adjusted="p").select(_PAIRS)
    if choices.correction == "holm":
        table = _adjusted(table, ["test"] if choices.family == "all" else ["test", "measure"])
    return table, pl.DataFrame(overall, schema=_OVERALL, orient="row")


def _pairs(runs: Sequence[str], baseline: str | None) -> list[Pair]:
    if baseline is None:
        return list(combinations(range(len(runs)), 2))
    against = runs.index(baseline)
    return [(place, against) for place in range(len(runs)) if place != against]


def _adjusted(table: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Return the pairs with Holm's p in the column `adjusted`.

    Comparisons with the same values in the columns `keys` are adjusted together. Joint tests, such as
    Tukey's, keep their p.
    """
    adjusted = table["p"].to_numpy().copy()  # NaN for null
    for rows in table.with_row_index("row").partition_by(keys, maintain_order=True):
        if not TESTS[rows["test"][0]].is_joint:
            places = rows["row"].to_numpy()
            adjusted[places] = holm(adjusted[places])
    return table.with_columns(adjusted=pl.Series(adjusted).fill_nan(None))


def top_sets_table(scores: Scores, choices: Choices, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the table `top_sets`. A measure without any value has no top set.

    `pairs` is the result of `test_tables`. If it has Wilcoxon's test of all pairs, this is not done again.
    """
    has_all = choices.baseline is None and "wilcoxon" in choices.tests and choices.family == "measure"
    rows = []
    for m, measure in enumerate(scores.measures):
        values = scores.values[..., m]
        if np.isnan(values).all():
            continue
        if has_all:
            tested = pairs.filter(measure=measure, test="wilcoxon")
            systems = top_set_by(scores.runs, values, partial(_p_in, tested, scores.runs), choices.alpha)
        else:
            systems = top_set(scores.runs, values, alpha=choices.alpha, correction=choices.correction)
        rows += [(measure, system.run, *as_printed(measure, [system.mean]), system.p) for system in systems]
    return pl.DataFrame(rows, schema=_TOP_SETS, orient="row")


def _p_in(pairs: pl.DataFrame, runs: Sequence[str], best: int) -> FloatArray:
    """Return the adjusted p of each run against one of them (runs,), as `p_against` does."""
    p = dict.fromkeys(runs, 1.0)  # a pair without a common topic was not tested
    for one, other, adjusted in pairs.select("first", "second", "adjusted").iter_rows():
        if adjusted is not None and runs[best] in (one, other):
            p[other if one == runs[best] else one] = adjusted
    return np.array([*p.values()])

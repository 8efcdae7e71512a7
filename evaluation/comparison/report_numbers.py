"""Compute the tables of a comparison: means with intervals, tests of pairs, and top sets."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..result.result import Result
from ..sampling.result import SampledScores
from ..score_table import Scores
from .choices import Choices
from .holm import holm
from .pair_tests import TESTS, Pair
from .system_intervals import TARGETS

_MEANS: Final = {
    "measure": pl.String,
    "run": pl.String,
    "topics": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
_ESTIMATES: Final = {
    **dict.fromkeys(("measure", "target", "evidence", "run", "minus"), pl.String),
    "topics": pl.Int64,
    **dict.fromkeys(("mean", "low", "high"), pl.Float64),
    "valid": pl.Boolean,
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


def estimates_table(samples: Mapping[str, SampledScores], choices: Choices) -> pl.DataFrame:
    """Return the table `estimates` of the comparison.

    It has the means by each measure, target and evidence, and the differences from the baseline.
    """
    parts = [pl.DataFrame(schema=_ESTIMATES)]
    for measure, sample in samples.items():
        others = [run for run in sample.runs if choices.baseline not in (None, run)]
        for target in TARGETS:
            tables = [sample.means(target, level=choices.level).with_columns(minus=pl.lit(None, pl.String))]
            tables += [
                sample.difference(run, str(choices.baseline), target, level=choices.level).rename(
                    {"first": "run", "second": "minus"}
                )
                for run in others
            ]
            parts += [
                table.with_columns(measure=pl.lit(measure)).select(list(_ESTIMATES)) for table in tables
            ]
    return pl.concat(parts)


def means_table(scores: Scores, results: Mapping[str, Result]) -> pl.DataFrame:
    """Return the table `means` of the comparison. A measure without a result has no values."""
    parts = [pl.DataFrame(schema=_MEANS)]
    for measure in scores.measures:
        if (result := results.get(measure)) is None:
            empty = [(measure, run, 0, None, None, None) for run in scores.runs]
            parts.append(pl.DataFrame(empty, schema=_MEANS, orient="row"))
        else:
            place = result.table["run"].replace_strict(scores.runs, range(len(scores.runs)))
            of_measure = result.table.sort(place).with_columns(measure=pl.lit(measure))
            parts.append(of_measure.select(list(_MEANS)))
    return pl.concat(parts)


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


def top_sets_table(results: Mapping[str, Result]) -> pl.DataFrame:
    """Return the table `top_sets`. A measure without any value has no top set."""
    parts = [pl.DataFrame(schema=_TOP_SETS)]
    for measure, result in results.items():
        of_measure = result.table.filter(pl.col("in_top_set")).select(
            pl.lit(measure).alias("measure"), "run", "mean", pl.col("adjusted").fill_null(1.0).alias("p")
        )
        parts.append(of_measure)
    return pl.concat(parts)


def p_of_measures(scores: Scores, choices: Choices, pairs: pl.DataFrame) -> dict[str, FloatArray]:
    """Return the p-values of Wilcoxon's test of all pairs by each measure, if `pairs` has them."""
    if choices.baseline is not None or "wilcoxon" not in choices.tests:
        return {}
    tested = pairs.filter(test="wilcoxon")
    return {measure: _p_in(tested.filter(measure=measure), scores.runs) for measure in scores.measures}


def _p_in(pairs: pl.DataFrame, runs: Sequence[str]) -> FloatArray:
    """Return the p-value of each pair of runs (runs, runs), as `p_of_all_pairs` does."""
    p = np.full((len(runs), len(runs)), np.nan)
    place = {run: index for index, run in enumerate(runs)}
    for one, other, of_pair in pairs.select("first", "second", "p").iter_rows():
        value = np.nan if of_pair is None else of_pair
        p[place[one], place[other]] = p[place[other], place[one]] = value
    return p

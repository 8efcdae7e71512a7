"""How each arm ranks the runs, and how much the rankings and the top sets of two arms have in common."""

from collections.abc import Mapping
from itertools import combinations
from typing import Final

import polars as pl

from ..comparison.correlation import tau_b
from ..comparison.topset import overlap
from ..result.result import Result

RANKING: Final = {
    "run": pl.String,
    "arm": pl.String,
    "place": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "in_top_set": pl.Boolean,
}
RANKINGS: Final = {
    "first": pl.String,
    "second": pl.String,
    "runs": pl.Int64,
    "tau_b": pl.Float64,
    "overlap": pl.Float64,
}


def ranking_table(results: Mapping[str, Result]) -> pl.DataFrame:
    """Return the columns of `RANKING`: for each run and arm, what `compare` says of the run.

    The runs are in the order of the first arm. `place` counts from 1.
    """
    rows = [
        (row["run"], arm, place, row["mean"], row["low"], row["high"], row["in_top_set"])
        for arm, result in results.items()
        for place, row in enumerate(result.table.iter_rows(named=True), start=1)
    ]
    order = {run: place for place, run in enumerate(dict.fromkeys(row[0] for row in rows))}
    arms = {arm: place for place, arm in enumerate(results)}
    return pl.DataFrame(
        sorted(rows, key=lambda row: (order[row[0]], arms[row[1]])), schema=RANKING, orient="row"
    )


def rankings_table(results: Mapping[str, Result]) -> pl.DataFrame:
    """Return the columns of `RANKINGS`, with a row for each pair of arms.

    `tau_b` is Kendall's τ_b of the means of the runs, and `overlap` is the number of runs in both top sets,
    divided by the number of runs in any of the two.
    """
    rows = []
    for first, second in combinations(results, 2):
        both = _means(results[first]).join(_means(results[second]), on="run")
        tops = results[first].top_set, results[second].top_set
        shared = overlap(*tops) if all(tops) else None
        rows.append((first, second, both.height, tau_b(both["mean"], both["mean_right"]), shared))
    return pl.DataFrame(rows, schema=RANKINGS, orient="row")


def _means(result: Result) -> pl.DataFrame:
    return result.table.select("run", "mean").drop_nulls()

"""The top set of each measure, computed from one or more kinds of gains [T15]."""

from collections.abc import Mapping

import polars as pl

from ..comparison.topset import top_set
from ..measures import lower_is_better
from ..score_table import Scores

SCHEMA = {
    "gains": pl.String,
    "measure": pl.String,
    "place": pl.Int64,
    "run": pl.String,
    "mean": pl.Float64,
    "p": pl.Float64,
}


def top_sets(scores: Mapping[str, Scores], *, alpha: float = 0.05) -> pl.DataFrame:
    """Return the best run by each measure, and all runs that Wilcoxon's test cannot tell apart from it.

    `scores` maps the name of each kind of gains to the scores computed from these gains. `scores_by` returns
    such a dict.

    Return `gains, measure, place` (1 for the best run), `run, mean, p`. Rows are in the order of `scores`.
    `p` is the p-value of the comparison with the best run, and is not adjusted. A run is in the top set if
    its p is at least `alpha`. The best run has a p-value of 1. Raise `InputError` in the same cases as
    `comparison.top_set`.
    """
    rows = [
        (gains, measure, place, member.run, member.mean, member.p)
        for gains, of_gains in scores.items()
        for column, measure in enumerate(of_gains.measures)
        for place, member in enumerate(
            top_set(
                of_gains.runs, of_gains.values[..., column], alpha=alpha, lowest=lower_is_better(measure)
            ),
            start=1,
        )
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")

"""Find pairs of runs that two measures rank in opposite ways [S04]."""

import numpy as np
import polars as pl

from ..comparison.matrix import rankings
from ..comparison.results import levels_of_rows
from ..errors import InputError, shown
from ..score_table import Scores


def rank_changes(scores: Scores, by: str = "AP(rel=1)") -> pl.DataFrame:
    """Return the runs' means by every measure, to show where the measures disagree about the order of runs.

    Runs are numbered from best to worst, according to the measure `by`. If a measure ranks the runs in the
    same way as `by`, its means fall from each run to the next. A rise is an inconsistency with `by`. In
    [S04], `by` is relaxed average precision. Means that differ only by rounding errors count as equal. Runs
    with equal means are numbered in the order of their names.

    Return `measure, number` (1 for the best), `run, value, rise` (whether the value is above the value of the
    previous run). Measures are in the same order as in `scores`. Raise `InputError` if `by` is not among the
    measures, and for a run without a mean.

    Example: runs a, b, c have AP .5, .3, .1 and P .4, .2, .3. P rises once, at number 3.
    """
    if by not in scores.measures:
        raise InputError(
            "measure-not-in-scores",
            "the scores do not include the measure {measure}; choose from {known}",
            measure=shown(by),
            known=", ".join(scores.measures),
        )
    means_by_measure = rankings(scores)
    for measure, means in means_by_measure.items():
        if np.isnan(means).any():
            raise InputError(
                "run-without-mean",
                "run {run} has no value for {measure}; remove this run",
                run=shown(scores.runs[int(np.flatnonzero(np.isnan(means))[0])]),
                measure=measure,
            )
    levels_by_measure = {
        measure: levels_of_rows(means[None])[0] for measure, means in means_by_measure.items()
    }
    levels = levels_by_measure[by]
    best_first = sorted(range(len(levels)), key=lambda place: (-levels[place], scores.runs[place]))
    parts = []
    for measure, means in means_by_measure.items():
        values, levels = means[best_first], levels_by_measure[measure][best_first]
        parts.append(
            pl.DataFrame(
                {
                    "measure": [measure] * len(values),
                    "number": np.arange(1, len(values) + 1),
                    "run": [scores.runs[place] for place in best_first],
                    "value": values,
                    "rise": np.diff(levels, prepend=levels[:1]) > 0,
                }
            )
        )
    return pl.concat(parts)


def inconsistencies(table: pl.DataFrame) -> pl.DataFrame:
    """For each measure in a table from `rank_changes`, count the rises and all steps from run to run.

    Return `measure, rises, steps`, in the order of the table.
    """
    return table.group_by("measure", maintain_order=True).agg(
        rises=pl.col("rise").sum().cast(pl.Int64), steps=pl.len().cast(pl.Int64) - 1
    )

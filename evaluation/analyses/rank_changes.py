"""Where a measure ranks systems otherwise than another: rises in its curve over the other's ranking [S04]."""

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.compare.correlation import TIED_WITHIN, levels_of_rows
from evaluation.compare.matrix import rankings
from evaluation.errors import InputError, shown
from evaluation.frames import Scores


def rank_changes(scores: Scores, by: str = "AP(rel=1)") -> pl.DataFrame:
    """The runs numbered by one measure, 1 the best, and their means by every measure.

    A measure that ranks the runs alike falls along the numbers; where it rises from one run to the next, it
    is inconsistent with `by`, in [S04] relaxed average precision. Means within 1e-12 are equal, and runs of
    equal means are numbered by name.

    Returns `measure, number, run, value, rise` (above the run before), measures in their order. Raises
    `InputError` where `by` is not among the measures, and for a run without a mean.

    Example: by AP a, b, c have .5, .3, .1, by P .4, .2, .3: one rise, at number 3.
    """
    if by not in scores.measures:
        raise InputError(
            "measure-not-in-scores",
            "the scores do not have the measure {measure}; choose from {known}",
            measure=shown(by),
            known=", ".join(scores.measures),
        )
    found = rankings(scores)
    for measure, means in found.items():
        if np.isnan(means).any():
            raise InputError(
                "run-without-mean",
                "run {run} has no value of {measure}; leave it out",
                run=shown(scores.runs[int(np.flatnonzero(np.isnan(means))[0])]),
                measure=measure,
            )
    best_first = _best_first(scores.runs, found[by])
    parts = []
    for measure, means in found.items():
        values = means[best_first]
        parts.append(
            pl.DataFrame(
                {
                    "measure": [measure] * len(values),
                    "number": np.arange(1, len(values) + 1),
                    "run": [scores.runs[place] for place in best_first],
                    "value": values,
                    "rise": np.diff(values, prepend=values[:1]) > TIED_WITHIN,
                }
            )
        )
    return pl.concat(parts)


def inconsistencies(table: pl.DataFrame) -> pl.DataFrame:
    """How often each measure of `rank_changes` rises, of how many steps from run to run.

    Returns `measure, rises, steps`, in the order of the table.
    """
    return table.group_by("measure", maintain_order=True).agg(
        rises=pl.col("rise").sum().cast(pl.Int64), steps=pl.len().cast(pl.Int64) - 1
    )


def _best_first(runs: tuple[str, ...], means: FloatArray) -> list[int]:
    levels = levels_of_rows(means[None])[0]
    return sorted(range(len(runs)), key=lambda place: (-levels[place], runs[place]))

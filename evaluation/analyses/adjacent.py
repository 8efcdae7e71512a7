"""Test whether documents with one grade are worth more than documents with the next lower grade [T15]."""

import math
from itertools import pairwise

import polars as pl
from scipy import stats

from evaluation.analyses.graded import graded, with_logs
from evaluation.arrays import FloatArray
from evaluation.comparison.results import positive
from evaluation.frames import Gains
from evaluation.magnitudes.documents import KEYS

SCHEMA = {
    "lower": pl.Float64,
    "higher": pl.Float64,
    "lower_documents": pl.Int64,
    "higher_documents": pl.Int64,
    "lower_mean": pl.Float64,
    "higher_mean": pl.Float64,
    "method": pl.String,
    "t": pl.Float64,
    "freedom": pl.Float64,
    "p": pl.Float64,
}


def adjacent_grades(values: Gains, grades: Gains, *, log: bool = False) -> pl.DataFrame:
    """Compare each grade with the next higher grade by Welch's two-sided t test on the documents' medians.

    The documents of all topics are pooled. Binary judgments are grades too: 0 is compared with 1. With `log`,
    the logarithms of the medians are compared. [T15] does not say whether it uses logarithms.

    Return a row for each pair of successive grades, in ascending order. The columns are `lower, higher` (the
    grades), `lower_documents, higher_documents, lower_mean, higher_mean` (with `log`, means of logarithms),
    `method, t` (positive if the higher grade has the higher mean), `freedom` (Welch's degrees of freedom) and
    `p`, which is not adjusted. If a grade has only one document, `t`, `freedom` and `p` are null. If both
    grades have zero variance, `t` is infinite (or 0 if the means are equal) and `freedom` is null. Raise
    `InputError` if `log` is set and a value is 0.

    Example: documents of one grade have the values 1 and 3, and documents of the next grade have the values
    4, 6 and 8. Then t = (6 − 2)/√(2/2 + 4/3) = 2.619 and freedom = (7/3)²/(1²/1 + (4/3)²/2) = 2.882.
    """
    table = graded(values, grades)
    table = with_logs(table) if log else table
    column, method = ("log", "Welch's t of logarithms") if log else ("value", "Welch's t")
    groups = {
        float(grade): part[column].to_numpy()
        for (grade,), part in table.sort("grade", *KEYS).group_by("grade", maintain_order=True)
    }
    rows = []
    for lower, higher in pairwise(groups):
        below, above = groups[lower], groups[higher]
        means = float(below.mean()), float(above.mean())
        rows.append((lower, higher, len(below), len(above), *means, method, *_welch(above, below)))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _welch(x: FloatArray, y: FloatArray) -> tuple[float | None, float | None, float | None]:
    """Return t, the degrees of freedom and the p-value."""
    if min(len(x), len(y)) < 2:
        return None, None, None
    if x.min() == x.max() and y.min() == y.max():
        t = math.copysign(math.inf, x[0] - y[0]) if x[0] != y[0] else 0.0
        return t, None, positive(float(not t))
    test = stats.ttest_ind(x, y, equal_var=False)
    return float(test.statistic), float(test.df), positive(test.pvalue)

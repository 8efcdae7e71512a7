"""Test whether documents with one grade are worth more than documents with the next lower grade [T15]."""

import math
from itertools import pairwise

import polars as pl
import scipy

from ..arrays import FloatArray
from ..comparison.results import positive
from ..frames import Gains
from ..magnitudes.document_gains import KEYS
from .graded import graded, with_logs

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


def adjacent_grades(
    values: Gains, grades: Gains, *, log: bool = False, equal_variances: bool = False
) -> pl.DataFrame:
    """Compare each grade with the next higher grade by a two-sided t test on the documents' medians.

    The documents of all topics are pooled. Binary judgments are grades too: 0 is compared with 1. [T15] only
    says that it uses a two-tailed t test. By default, this function uses Welch's test on the medians. With
    `equal_variances`, it uses Student's test, which assumes that both grades have the same variance. With
    `log`, it compares the logarithms of the medians.

    Return a row for each pair of successive grades, in ascending order. The columns are `lower, higher` (the
    grades), `lower_documents, higher_documents, lower_mean, higher_mean` (with `log`, means of logarithms),
    `method` (the name of the test), `t` (positive if the higher grade has the higher mean), `freedom` (the
    degrees of freedom) and `p`, which is not adjusted. Welch's test has no result if one grade has only one
    document. Student's test has no result if both grades have only one document. Without a result, `t`,
    `freedom` and `p` are null. If both grades have zero variance, `t` is infinite (or 0 if the means are
    equal) and `freedom` is null. Raise `InputError` if `log` is set and a value is 0.

    Example: documents of one grade have the values 1 and 3, and documents of the next grade have the values
    4, 6 and 8. Then Welch's t = (6 − 2)/√(2/2 + 4/3) = 2.619 and freedom = (7/3)²/(1²/1 + (4/3)²/2) = 2.882.
    Student's test pools the variances: (1·2 + 2·4)/3 = 10/3. So t = (6 − 2)/√(10/3·(1/2 + 1/3)) = 2.4, and
    freedom = 3.
    """
    table = graded(values, grades)
    table = with_logs(table) if log else table
    column = "log" if log else "value"
    method = ("Student's t" if equal_variances else "Welch's t") + (" of logarithms" if log else "")
    groups = {
        float(grade): part[column].to_numpy()
        for (grade,), part in table.sort("grade", *KEYS).group_by("grade", maintain_order=True)
    }
    rows = []
    for lower, higher in pairwise(groups):
        below, above = groups[lower], groups[higher]
        means = float(below.mean()), float(above.mean())
        test = _t_test(above, below, equal_variances)
        rows.append((lower, higher, len(below), len(above), *means, method, *test))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _t_test(
    x: FloatArray, y: FloatArray, equal_variances: bool
) -> tuple[float | None, float | None, float | None]:
    """Return t, the degrees of freedom and the p-value."""
    sizes = sorted((len(x), len(y)))
    if sizes[1] < 2 or (sizes[0] < 2 and not equal_variances):
        return None, None, None
    if x.min() == x.max() and y.min() == y.max():
        t = math.copysign(math.inf, x[0] - y[0]) if x[0] != y[0] else 0.0
        return t, None, positive(float(not t))
    test = scipy.stats.ttest_ind(x, y, equal_var=equal_variances)
    return float(test.statistic), float(test.df), positive(test.pvalue)

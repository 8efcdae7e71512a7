"""Compare all pairs of systems with one test, and adjust p for the number of pairs."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Literal

import numpy as np
import polars as pl

from ..options import checked
from .holm import holm
from .results import TestResult, Values, refuse_few_systems, system_matrix
from .wilcoxon import wilcoxon

PairTest = Callable[[Values, Values], TestResult]


@checked
def all_pairs(
    runs: Sequence[str],
    values: Values,
    test: PairTest = wilcoxon,
    *,
    adjust: Literal["holm", "none"] = "holm",
) -> pl.DataFrame:
    """Compare every pair of systems with a test such as `wilcoxon`, `sign_test` or `paired_t`.

    `values` is systems × topics, with NaN for no value. A pair is compared over the topics in which both
    systems have a value. Return a row for each pair, in the order of `runs`. The columns are `first, second`,
    `difference` (between the means over these topics), `statistic, p`, `adjusted` (Holm's p, or p itself with
    `adjust="none"`), `n` and `method`. Raise `InputError` for fewer than two systems, if `values` does not
    have one row for each run, and in the same cases as the test.
    """
    refuse_few_systems(len(runs))
    matrix = system_matrix(values, runs)
    pairs = list(combinations(range(len(runs)), 2))
    results = [test(matrix[x], matrix[y]) for x, y in pairs]
    p = [result.p for result in results]
    return pl.DataFrame(
        {
            "first": [runs[x] for x, _ in pairs],
            "second": [runs[y] for _, y in pairs],
            "difference": [float(np.nanmean(matrix[x] - matrix[y])) for x, y in pairs],
            "statistic": [result.statistic for result in results],
            "p": p,
            "adjusted": holm(p) if adjust == "holm" else p,
            "n": [result.n for result in results],
            "method": [result.method for result in results],
        }
    )

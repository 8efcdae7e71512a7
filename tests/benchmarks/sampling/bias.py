"""Measure the bias of estimates over very many draws from the same collection, whatever predicts the gains.

    python -m tests.benchmarks.sampling bias --draws 10000

The collection is the small one of the tests, whose gains are all known. The bias of a run's mean is given in
standard errors of the mean over the draws. It is 0 for an estimate without bias, so few of these numbers are
above 2, and hardly any are above 4.
"""

from collections.abc import Iterator
from itertools import product
from typing import get_args

import numpy as np
import polars as pl

from evaluation.conventions import Design
from tests.evaluation.sampling.simulated import Collection

SHARE = 0.4


def biases(draws: int) -> Iterator[dict[str, object]]:
    """Yield the largest bias of the runs' means in standard errors, by design and kind of prediction."""
    collection = Collection.of(12, documents=25, systems=4)
    for design, (kind, prediction) in product(get_args(Design), collection.predictions.items()):
        means = []
        for seed in range(draws):
            scores = collection.scores(collection.sample(SHARE, seed, design), prediction)
            means.append(next(iter(scores.intervals.values())).observed.mean(axis=1))
        found = np.array(means)
        error = found.std(axis=0, ddof=1) / np.sqrt(draws)
        away = (found.mean(axis=0) - collection.truth) / error
        yield {"design": design, "kind": kind, "draws": draws, "largest": float(np.abs(away).max())}


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with a column for each design."""
    return rows.pivot(on="design", index=["kind", "draws"], values="largest")

"""Measure the intervals of these topics if gains have no noise, so that all errors come from the sample.

    python -m tests.benchmarks.sampling design --seeds 200

Each interval is computed twice: with the share of the variance that predictions imply, as the library adds
it, and without it.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

import numpy as np
import polars as pl

from evaluation.comparison import draw_variance
from evaluation.crowds import CROWDS
from evaluation.frames import Gains
from evaluation.sampling import estimate
from evaluation.sampling.linear import LinearMeasure
from tests.benchmarks.sampling.bank import MEASURE, Bank
from tests.benchmarks.sampling.grid import (
    BANK,
    CONTRASTS,
    KINDS,
    LAWS,
    SHARES,
    TOPICS,
    contrasts,
    estimates,
    predictions,
)
from tests.benchmarks.sampling.tables import wide

CROWD: Final = "typical"
ADDED: Final = (0.0, draw_variance.OF_PREDICTIONS)
"""The shares of the variance that predictions imply."""


def intervals(seeds: int, *, topics: int = BANK) -> Iterator[pl.DataFrame]:
    """Yield a table for each study and kind of predictions, with a row for each contrast."""
    bank = Bank.draw(CROWDS[CROWD], topics, np.random.default_rng(9))
    for number, share, seed in product(TOPICS, SHARES, range(seeds)):
        rng = np.random.default_rng([seed, number, round(100 * share)])
        study = bank.study(number, rng)
        sample = study.sample(share, rng)
        worth = study.worth()
        gains = Gains.from_columns(*study.pool.table, worth)
        truth = contrasts(study.pool.weights(LinearMeasure.of(MEASURE)) @ worth)
        true = pl.DataFrame({"contrast": CONTRASTS, "truth": truth})
        for kind in (*KINDS, *LAWS):
            given = predictions(study, kind, rng)
            scores = estimate(gains, study.runs, MEASURE, sample, predictions=given)[MEASURE]
            evidence = "predictions" if given else "people"
            for added in ADDED:
                rows = _with_share(added, lambda of=scores: estimates(of, "these_topics"))
                yield (
                    rows.filter(evidence=evidence)
                    .join(true, on="contrast")
                    .with_columns(kind=pl.lit(kind), topics=number, share=share, added=added)
                )


def _with_share(added: float, compute: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Return what `compute` gives if this share of the variance that predictions imply is added."""
    usual = draw_variance.OF_PREDICTIONS
    draw_variance.OF_PREDICTIONS = added
    try:
        return compute()
    finally:
        draw_variance.OF_PREDICTIONS = usual


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the coverage for each kind of predictions, with a column for each number of topics and share."""
    is_pair = pl.col("contrast").str.contains("-")
    cells = rows.group_by(
        pl.when(is_pair).then(pl.lit("difference")).otherwise(pl.lit("mean")).alias("what"),
        *("added", "kind", "topics", "share"),
        maintain_order=True,
    ).agg(covered=pl.col("truth").is_between("low", "high").mean())
    return wide(cells, ["what", "added", "kind"], "covered")

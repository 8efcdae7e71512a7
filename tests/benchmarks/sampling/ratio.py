"""Measure what an nDCG from a sample would do, if the ideal list were estimated from the sample too.

    python -m tests.benchmarks.sampling ratio --seeds 200

The library refuses this measure. Gains have no noise here, so all errors come from the sample.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison.freedom import student_quantile
from evaluation.crowds import CROWDS
from evaluation.frames import Gains
from evaluation.sampling import Sample, estimate
from evaluation.sampling.linear import LinearMeasure
from tests.benchmarks.sampling.bank import DEPTH, MEASURE, Bank, Study
from tests.benchmarks.sampling.grid import BANK, CONTRASTS, LEVEL, SHARES, TOPICS, contrasts

CROWD: Final = "typical"


def ideal(gain: FloatArray, chances: FloatArray) -> FloatArray:
    """Return the ideal DCG@10 as estimated from sampled gains (1,), each counted 1/π times."""
    order = np.argsort(-gain)
    ranks = np.concatenate([[0.0], np.cumsum(1 / chances[order])])
    discounts = np.concatenate([[0.0], np.cumsum(LinearMeasure.of(MEASURE).weights)])
    reached = np.interp(np.minimum(ranks, DEPTH), np.arange(DEPTH + 1), discounts)
    return np.diff(reached) @ gain[order]


def ratios(study: Study, sample: Sample) -> FloatArray:
    """Return the estimated nDCG@10 of each run in each topic (runs, topics)."""
    worth = study.worth()
    found = Gains.from_columns(*study.pool.table, worth)
    scores = estimate(found, study.runs, MEASURE, sample)[MEASURE]
    sampled, chances = (sample.table[name].to_numpy() for name in ("sampled", "inclusion"))
    ideals = [
        ideal(worth[kept], chances[kept])
        for kept in (sampled & (study.pool.topic == topic) for topic in range(len(study.pool.topics)))
    ]
    observed: FloatArray = scores.intervals["people"].observed / np.array(ideals)
    return observed


def intervals(seeds: int, *, topics: int = BANK) -> Iterator[dict[str, object]]:
    """Yield a row for each size, share, seed and contrast: Student's interval, and whether it held."""
    bank = Bank.draw(CROWDS[CROWD], topics, np.random.default_rng(9))
    whole = bank.chosen(np.arange(topics))
    every = Sample(
        "systematic", whole.pool.table.with_columns(inclusion=pl.lit(1.0), sampled=pl.lit(value=True))
    )
    truth = contrasts(ratios(whole, every).mean(axis=1))
    for number, share, seed in product(TOPICS, SHARES, range(seeds)):
        rng = np.random.default_rng([seed, number, round(100 * share)])
        study = bank.study(number, rng)
        scores = np.apply_along_axis(contrasts, 0, ratios(study, study.sample(share, rng)))
        half = student_quantile(LEVEL, number - 1) * scores.std(axis=1, ddof=1) / np.sqrt(number)
        error = scores.mean(axis=1) - truth
        for name, wrong, width, true in zip(CONTRASTS, error, half, truth, strict=True):
            yield {
                "topics": number,
                "share": share,
                "what": "difference" if "-" in name else "mean",
                "error": wrong,
                "truth": true,
                "covered": abs(wrong) <= width,
            }


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the mean error and the coverage for each size and share, for means and for differences."""
    keys = ["what", "topics", "share"]
    return rows.group_by(keys, maintain_order=True).agg(
        bias=pl.col("error").mean(),
        relative=pl.col("error").mean() / pl.col("truth").mean(),
        error=(pl.col("error") ** 2).mean().sqrt(),
        covered=pl.col("covered").mean(),
    )

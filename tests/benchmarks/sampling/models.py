"""Measure the estimates of studies whose gains a simulated language model predicts.

    python -m tests.benchmarks.sampling models --seeds 1000

A typical crowd judges the sampled documents, as in the grid. The model labels every document of the pool with
bias · gain^exponent · noise. Another model copies the ranking of the worst run: it gives the largest gain of
a topic to the run's first document, the second largest to its second document, and so on.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison.system_intervals import TARGETS
from evaluation.crowds import CROWDS
from evaluation.sampling.linear import LinearMeasure
from tests.benchmarks.sampling.bank import MEASURE, RUN_NOISE, Bank, Study
from tests.benchmarks.sampling.grid import BANK, BLOCK, CONTRASTS, Part, Predicting, contrasts, measured

CROWD: Final = "typical"
TOPICS: Final = 18
SHARE: Final = 0.3
METHOD: Final = "additive"
COPIED: Final = len(RUN_NOISE) - 1
"""The index of the run that a model favours. It is the worst one."""


COLUMNS: Final = ("kind", "target", "evidence", "contrast", "mean", "low", "high", "truth")


class Model(NamedTuple):
    """A model whose labels are bias · gain^exponent · noise. `noise` is the standard deviation of its ln."""

    bias: float
    exponent: float
    noise: float

    def labels(self, study: Study, rng: np.random.Generator) -> FloatArray:
        """Return a label for each document of the pool (documents,)."""
        worth = study.worth()
        labels: FloatArray = (
            self.bias * worth**self.exponent * np.exp(self.noise * rng.normal(size=len(worth)))
        )
        return labels


def copied(study: Study, rng: np.random.Generator) -> FloatArray:
    """Return labels that rank each topic's documents as the run `COPIED` does (documents,).

    The documents that it does not retrieve follow in random order. The labels of a topic are its gains.
    """
    worth, topic = study.worth(), study.pool.topic
    rank = study.pool.ranks[COPIED]
    place = np.where(rank > 0, rank, rank.max() + 1 + rng.random(len(rank)))
    labels = np.empty_like(worth)
    labels[np.lexsort((place, topic))] = worth[np.lexsort((-worth, topic))]
    return labels


LABELS: Final = {
    "good": Model(1, 1, 0.5).labels,
    "biased": Model(3, 0.5, 0.5).labels,
    "copy of a run": copied,
}
"""How each kind of model labels the pool of a study."""


def _predictions(kind: str, study: Study, rng: np.random.Generator) -> list[pl.DataFrame]:
    return [study.pool.table.with_columns(score=LABELS[kind](study, rng))]


KINDS: Final[dict[str, Predicting]] = {
    "none": lambda study, rng: [],
    **{kind: partial(_predictions, kind) for kind in LABELS},
}


def results(bank: Bank, seed: int) -> Iterator[pl.DataFrame]:
    """Yield tables of `COLUMNS` about one study: those of `measured`, and those of the labels alone.

    The evidence "labels" takes the labels for gains, and has no interval.
    """
    part = Part(CROWD, TOPICS, SHARE, range(seed, seed + 1))
    for table in measured(bank, part, seed, METHOD, KINDS):
        yield table.select(COLUMNS)
    rng = np.random.default_rng(part.state(seed))
    study = bank.study(TOPICS, rng)
    weights = study.pool.weights(LinearMeasure.of(MEASURE))
    numbers = pl.DataFrame({"contrast": CONTRASTS, "truth": contrasts(weights @ study.worth())})
    for kind, labels in LABELS.items():
        alone = {"kind": kind, "target": TARGETS[-1], "evidence": "labels"}
        nothing = dict.fromkeys(("low", "high"), pl.lit(None, pl.Float64))
        mean = pl.Series(contrasts(weights @ labels(study, rng)))
        columns = {name: pl.lit(value) for name, value in alone.items()}
        yield numbers.with_columns(mean=mean, **columns, **nothing).select(COLUMNS)


def studies(seeds: int, *, processes: int = 2, topics: int = BANK) -> pl.DataFrame:
    """Return the rows of `results` of so many studies. `topics` is the size of the bank."""
    bank = Bank.draw(CROWDS[CROWD], topics, np.random.default_rng(9), method=METHOD)
    blocks = [range(start, min(start + BLOCK, seeds)) for start in range(0, seeds, BLOCK)]
    # The processes are started anew, because a fork of a process that has used polars can hang.
    with ProcessPoolExecutor(processes, get_context("spawn"), _keep, (bank,)) as pool:
        return pl.concat(pool.map(_of_block, blocks))


_shared: dict[str, Any] = {}


def _keep(bank: Bank) -> None:
    _shared["bank"] = bank


def _of_block(seeds: Sequence[int]) -> pl.DataFrame:
    return pl.concat(
        rows.with_columns(seed=pl.lit(seed)) for seed in seeds for rows in results(_shared["bank"], seed)
    )


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each kind of model, target and evidence, for means and for differences.

    `covered` is the share of intervals that contain the truth, `lowest` and `highest` that of single
    contrasts, and `error` the root mean square error. `favoured` is the mean error of the run that the
    copying model favours, as a share of its true mean, and `wins` how often this run has the largest mean.
    """
    is_pair = pl.col("contrast").str.contains("-")
    keys = ["kind", "target", "evidence"]
    error = pl.col("mean") - pl.col("truth")
    cells = rows.group_by(*keys, "contrast", maintain_order=True).agg(
        covered=pl.col("truth").is_between("low", "high").mean(),
        width=(pl.col("high") - pl.col("low")).mean(),
        square=(error**2).mean(),
    )
    table = cells.group_by(
        *keys,
        pl.when(is_pair).then(pl.lit("differences")).otherwise(pl.lit("means")).alias("what"),
        maintain_order=True,
    ).agg(
        pl.col("covered").mean(),
        lowest=pl.col("covered").min(),
        highest=pl.col("covered").max(),
        width=pl.col("width").mean(),
        error=pl.col("square").mean().sqrt(),
    )
    means = rows.filter(~is_pair)
    best = pl.col("mean") == pl.col("mean").max().over(*keys, "seed")
    favoured = (
        means.with_columns(wins=best)
        .filter(contrast=CONTRASTS[COPIED])
        .group_by(keys)
        .agg(favoured=error.mean() / pl.col("truth").mean(), wins=pl.col("wins").mean(), studies=pl.len())
    )
    return table.join(favoured, on=keys, maintain_order="left")

"""Compare the rankings of runs from a judged sample with those of complete studies.

    python -m tests.benchmarks.sampling ranking --seeds 100

Every study is compared with the ranking by the gains of very many judgments of the same documents.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison import tau_b
from evaluation.crowds import CROWDS
from evaluation.magnitudes import gains
from evaluation.sampling.linear import LinearMeasure
from evaluation.scores import score
from tests.benchmarks.sampling.bank import MEASURE, Bank
from tests.benchmarks.sampling.grid import BANK, TOPICS, predictions

SHARE: Final = 0.3
FEW, MANY = 5, 10
"""The judgments of each document: of a sampled study, and of a complete study."""
KINDS: Final = ("none", "weak", "good")


def rankings(seeds: int, *, bank: int = BANK) -> Iterator[dict[str, object]]:
    """Yield τ with the ranking by gains without noise, for each crowd, size, seed and kind of study."""
    for (name, crowd), topics in product(CROWDS.items(), TOPICS):
        drawn = Bank.draw(crowd, bank, np.random.default_rng(9))
        for seed in range(seeds):
            rng = np.random.default_rng([seed, topics])
            study = drawn.study(topics, rng)
            true = study.pool.weights(LinearMeasure.of(MEASURE)) @ study.worth()

            def row(
                design: str, judged: pl.DataFrame, means: FloatArray, names=(name, topics, seed), true=true
            ) -> dict[str, object]:
                cell = dict(zip(("crowd", "topics", "seed"), names, strict=True))
                tau = tau_b(means, true)
                return {**cell, "design": design, "judgments": len(judged), "tau": tau}

            for number in (MANY, FEW):
                judged = study.judge(study.pool.table, crowd, number, rng)
                means = score(gains(judged), study.runs, MEASURE).means()
                values = np.array([each.value for each in means])
                yield row(f"complete, {number} judgments", judged.table, values)
            for chosen, equal in (("influence", False), ("equal chances", True)):
                sample = study.sample(SHARE, rng, equal=equal)
                judged = study.judge(sample.sampled, crowd, FEW, rng)
                for kind in KINDS:
                    given = predictions(study, kind, np.random.default_rng([seed, 1]))
                    means = score(
                        gains(judged), study.runs, MEASURE, inclusion=sample, predictions=given
                    ).means()
                    values = np.array([each.value for each in means])
                    yield row(f"{SHARE:.0%} by {chosen}, predictions {kind}", judged.table, values)


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the mean τ of each kind of study, its standard error, and the gap to the complete study."""
    keys = ["crowd", "topics"]
    complete = rows.filter(design=f"complete, {MANY} judgments").select(*keys, "seed", complete="tau")
    gap = pl.col("tau") - pl.col("complete")
    return (
        rows.join(complete, on=[*keys, "seed"], maintain_order="left")
        .group_by(*keys, "design", maintain_order=True)
        .agg(
            pl.col("judgments").mean(),
            pl.col("tau").mean(),
            gap=gap.mean(),
            error_of_gap=gap.std() / pl.len().sqrt(),
        )
    )

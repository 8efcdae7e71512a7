"""Compare the rankings of runs from a judged sample with those of complete studies.

    python -m tests.benchmarks.sampling ranking --seeds 100

Every study is compared with the ranking of the runs by the true gains. Complete studies are normalised by
`geometric` and samples by `additive`, which are the defaults.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison import tau_b
from evaluation.crowds import CROWDS, Crowd
from evaluation.magnitudes import gains, normalise
from evaluation.score_table import Scores
from evaluation.scores import score
from tests.benchmarks.sampling.bank import MEASURE, Bank, Study
from tests.benchmarks.sampling.grid import BANK, TOPICS, predictions

GRADES: Final = {"H": 10, "R": 20, "M": 30, "N": 80, "": 97}
"""The documents of a topic: 237, as in the original study. The grades are made up."""
RUN_NOISE: Final = np.geomspace(0.5, 3.0, 40)
FEW, MANY = 5, 10
"""The numbers of judgments of each document."""
SAMPLED: Final = (
    (0.3, "influence", FEW),
    (0.3, "influence", MANY),
    (0.5, "influence", FEW),
    (0.3, "equal chances", FEW),
)
"""The sampled studies: the share of the documents, how they are chosen, and the judgments of each."""
LIMIT: Final = 50
"""The judgments of each document in the bank, which only predictions are made from."""
KINDS: Final = ("none", "weak", "good")


def rankings(seeds: int, *, bank: int = BANK) -> Iterator[dict[str, object]]:
    """Yield τ with the ranking by the true gains, for each crowd, size, seed and kind of study."""
    for (name, crowd), topics in product(CROWDS.items(), TOPICS):
        size = {"grades": GRADES, "noise": RUN_NOISE, "judgments": LIMIT}
        drawn = Bank.draw(crowd, bank, np.random.default_rng(9), **size)
        for seed in range(seeds):
            rng = np.random.default_rng([seed, topics])
            study = drawn.study(topics, rng)
            true = means(score(study.truth.gains(), study.runs, MEASURE))
            for design, judgments, scores in studies(study, crowd, rng):
                yield {
                    "crowd": name,
                    "topics": topics,
                    "seed": seed,
                    "design": design,
                    "documents": len(study.pool.table),
                    "judgments": judgments,
                    "tau": tau_b(means(scores), true),
                }


def studies(study: Study, crowd: Crowd, rng: np.random.Generator) -> Iterator[tuple[str, int, Scores]]:
    """Yield each kind of study with its number of judgments and the scores of its runs."""
    for number in (MANY, FEW):
        judged = study.judge(study.pool.table, crowd, number, rng)
        yield f"complete, {number} judgments", len(judged.table), score(gains(judged), study.runs, MEASURE)
    state = int(rng.integers(2**32))
    for share, chosen, number in SAMPLED:
        sample = study.sample(share, rng, equal=chosen == "equal chances")
        judged = study.judge(sample.sampled, crowd, number, rng)
        found = gains(judged, normalise(judged, "additive"))
        for kind in KINDS:
            given = predictions(study, kind, np.random.default_rng(state))
            scores = score(found, study.runs, MEASURE, inclusion=sample, predictions=given)
            design = f"{share:.0%} by {chosen}, {number} judgments, predictions: {kind}"
            yield design, len(judged.table), scores


def means(scores: Scores) -> FloatArray:
    """Return the mean score of each run (runs,)."""
    return np.array([mean.value for mean in scores.means()])


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the mean τ of each kind of study, its standard error, and the gap to the complete study."""
    keys = ["crowd", "topics"]
    complete = rows.filter(design=f"complete, {MANY} judgments").select(*keys, "seed", complete="tau")
    gap = pl.col("tau") - pl.col("complete")
    return (
        rows.join(complete, on=[*keys, "seed"], maintain_order="left")
        .group_by(*keys, "design", maintain_order=True)
        .agg(
            pl.col("documents").mean().round(),
            pl.col("judgments").mean().round(),
            pl.col("tau").mean(),
            gap=gap.mean(),
            error_of_gap=gap.std() / pl.len().sqrt(),
        )
    )

"""A simulated collection whose gains are all known, and samples of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.frames import Gains, Judgments
from evaluation.pairs import PAIR
from evaluation.runs import Run
from evaluation.sampling import Pool, Sample, SampledScores, draw, estimate, influence, pool_of
from evaluation.sampling.linear import LinearMeasure

DEPTH = 10
MEASURE = "DCG@10"


def grade(level: FloatArray) -> FloatArray:
    """Return the grade 0 to 3 of documents with these levels."""
    return np.digitize(level, [0.3, 1.0, 1.8]).astype(float)


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs, all their gains, and numbers that predict the gains, as (documents,) of the pool."""

    runs: list[Run]
    gains: Gains
    pool: Pool
    worth: FloatArray
    noise: FloatArray

    @classmethod
    def of(
        cls,
        topics: int,
        *,
        documents: int = 40,
        systems: int = 6,
        seed: int = 1,
        gain: Callable[[FloatArray], FloatArray] = grade,
    ) -> "Collection":
        """Draw the levels of documents and runs that see them with noise. `gain` turns levels into gains."""
        rng = np.random.default_rng(seed)
        level = rng.normal(size=(topics, documents)) + 0.5 * rng.normal(size=(topics, 1))
        grades = gain(level)
        names = [[(f"t{t:02}", f"d{d:02}") for d in range(documents)] for t in range(topics)]
        runs = []
        for system in range(systems):
            scores = level * rng.uniform(0.4, 1) + rng.normal(size=level.shape)
            rows = [
                (*name, score)
                for row in zip(names, scores, strict=True)
                for name, score in zip(*row, strict=True)
            ]
            runs.append(Run(rows, tag=f"r{system}"))
        gains = Gains([(*n, g) for row in zip(names, grades, strict=True) for n, g in zip(*row, strict=True)])
        pool = pool_of(runs, DEPTH)
        worth = pool.table.join(gains.table, on=["topic_id", "document_id"], maintain_order="left")["gain"]
        return cls(runs, gains, pool, worth.to_numpy(), rng.normal(size=len(worth)))

    @cached_property
    def weights(self) -> FloatArray:
        return self.pool.weights(LinearMeasure.of(MEASURE))

    @cached_property
    def truth(self) -> FloatArray:
        """The mean score of each run by all gains."""
        return self.weights @ self.worth

    @cached_property
    def predictions(self) -> dict[str, FloatArray]:
        """Predictions by their kind, as (documents, columns)."""
        columns = {
            "weak": self.worth + 1.5 * self.noise,
            "copy": self.worth,
            "inverse": 1 / (0.1 + self.worth),
            "adversarial": (self.weights[0] - self.weights[1]) * np.abs(self.noise),
        }
        none = {"none": np.zeros((len(self.worth), 0))}
        return none | {name: column[:, None] for name, column in columns.items()}

    def sample(self, share: float, seed: int, design: str = "systematic") -> Sample:
        budget = round(share * len(self.worth))
        rng = np.random.default_rng(seed)
        return draw(self.pool, influence(self.pool, MEASURE), budget, rng=rng, design=design)

    def judge(
        self, sample: Sample, seed: int, *, judgments: int = 5, workers: int = 30, noise: float = 0.5
    ) -> Judgments:
        """Return judgments of the sampled documents, each by so many of the workers.

        A magnitude is the gain times log-normal noise, and all workers have the same scale.
        """
        rng = np.random.default_rng(seed)
        rows = self.pool.table.with_columns(gain=self.worth).join(
            sample.sampled, on=PAIR, how="semi", maintain_order="left"
        )
        chosen = rng.permuted(np.tile(np.arange(workers), (len(rows), 1)), axis=1)[:, :judgments]
        table = rows[np.repeat(np.arange(len(rows)), judgments)]
        names = pl.Series([f"w{worker:02}" for worker in chosen.ravel()])
        magnitudes = table["gain"] * np.exp(noise * rng.normal(size=len(table)))
        return Judgments(
            table.select(PAIR).with_columns(worker_id=names, unit_id=names, relevance_score=magnitudes)
        )

    def labels(self, bias: float, exponent: float, noise: float) -> FloatArray:
        """Return a model's labels, bias · gain^exponent · noise, for gains above 0 (documents, 1)."""
        labels: FloatArray = bias * self.worth**exponent * np.exp(noise * self.noise)
        return labels[:, None]

    def copied(self, run: int) -> FloatArray:
        """Return the labels of a model that takes the ranking of a run for the best one (documents, 1).

        The run's first document of a topic has the largest gain of the topic, and so on. The documents that
        it does not retrieve have the smallest gains.
        """
        rank = self.pool.ranks[run]
        place = np.where(rank > 0, rank, DEPTH + 1 + self.noise.argsort().argsort())
        labels = np.empty_like(self.worth)
        labels[np.lexsort((place, self.pool.topic))] = self.worth[np.lexsort((-self.worth, self.pool.topic))]
        return labels[:, None]

    def scores(
        self,
        sample: Sample,
        prediction: FloatArray,
        judgments: Judgments | None = None,
        **options: Any,
    ) -> SampledScores:
        """What the sample says, with these predictions (documents, columns).

        Without judgments, the gains of the sampled documents are known without noise.
        """
        predictions = [self.pool.table.with_columns(score=column) for column in prediction.T]
        gains = self.gains if judgments is None else judgments
        return estimate(gains, self.runs, MEASURE, sample, predictions=predictions, **options)[MEASURE]

"""A simulated collection whose gains are all known, and samples of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.sampling import Pool, Sample, SampledScores, draw, estimate, influence, pool_of
from evaluation.sampling.linear import LinearMeasure

DEPTH = 10
MEASURE = "DCG@10"


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs, all their gains, and numbers that predict the gains, as (documents,) of the pool."""

    runs: list[Run]
    gains: Gains
    pool: Pool
    worth: FloatArray
    noise: FloatArray

    @classmethod
    def of(cls, topics: int, *, documents: int = 40, systems: int = 6, seed: int = 1) -> "Collection":
        rng = np.random.default_rng(seed)
        level = rng.normal(size=(topics, documents)) + 0.5 * rng.normal(size=(topics, 1))
        grades = np.digitize(level, [0.3, 1.0, 1.8]).astype(float)
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

    def scores(self, sample: Sample, prediction: FloatArray) -> SampledScores:
        """What the sample says, with these predictions (documents, columns)."""
        predictions = [self.pool.table.with_columns(score=column) for column in prediction.T]
        return estimate(self.gains, self.runs, MEASURE, sample, predictions=predictions)[MEASURE]

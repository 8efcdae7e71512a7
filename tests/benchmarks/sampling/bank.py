"""Simulated topics, the gains that very many judgments would give them, and studies of these topics."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray
from evaluation.crowds import Crowd, Truth, draw_truth, simulate_study
from evaluation.crowds.simulated import plan_units
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.magnitudes.normalisation import Method
from evaluation.pairs import PAIR
from evaluation.runs import Run
from evaluation.sampling import Pool, Sample, draw, influence, pool_of
from evaluation.sampling.linear import LinearMeasure

MEASURE: Final = "DCG@10"
DEPTH: Final = 10
GRADES: Final = {"H": 4, "R": 7, "M": 9, "N": 20, "": 20}
RUN_NOISE: Final = np.geomspace(0.5, 3.0, 10)
"""A run ranks documents by their true level plus noise. This is the standard deviation of its noise."""
PAIRS: Final = [*pairwise(range(len(RUN_NOISE))), (0, 5), (2, 7), (4, 9)]
"""The differences that are measured: of neighbours, which are small, and some large ones."""
_LIMIT: Final = 200
_PART: Final = 20


@dataclass(frozen=True, eq=False)
class Bank:
    """Topics, what runs retrieve for them, and the gains of their documents without noise of the judgments.

    `level`, `grade` and `limit` have the shape (topics, documents). `limit` has the gains of very many
    judgments by the crowd. `order` (runs, topics, `DEPTH`) has the documents of each run, best first.
    """

    level: FloatArray
    grade: IntArray
    limit: FloatArray
    order: IntArray

    @classmethod
    def draw(
        cls,
        crowd: Crowd,
        topics: int,
        rng: np.random.Generator,
        *,
        method: Method | None = None,
        judgments: int = _LIMIT,
        grades: Mapping[str, int] = GRADES,
        noise: FloatArray = RUN_NOISE,
    ) -> "Bank":
        """Draw topics with this number of documents of each grade, and a run for each amount of noise."""
        levels, known, limits = [], [], []
        for start in range(0, topics, _PART):
            size = min(_PART, topics - start), sum(grades.values())
            truth = draw_truth([grades] * size[0], crowd, rng)
            study = simulate_study(truth, crowd, rng, judgments_per_document=judgments)
            found = truth.table.join(
                gains(study.judgments, normalise(study.judgments, method)).table,
                on=PAIR,
                how="left",
                maintain_order="left",
            )
            levels.append(truth.level.reshape(size))
            known.append(truth.grade.reshape(size))
            limits.append(found["gain"].to_numpy().reshape(size))
        level = np.concatenate(levels)
        errors = noise[:, None, None] * rng.normal(size=(len(noise), *level.shape))
        order = np.argsort(-(level + errors), axis=-1)[..., :DEPTH]
        return cls(level, np.concatenate(known), np.concatenate(limits), order)

    def means(self) -> FloatArray:
        """Return the mean score of each run over all topics, from the gains without noise (runs,)."""
        weights = LinearMeasure.of(MEASURE).weights
        retrieved = np.take_along_axis(self.limit[None], self.order, axis=-1)
        means: FloatArray = (retrieved @ weights).mean(axis=-1)
        return means

    def study(self, topics: int, rng: np.random.Generator) -> "Study":
        """Return a study of topics that are drawn with replacement, so a topic can be in it twice."""
        return self.chosen(rng.integers(len(self.level), size=topics))

    def chosen(self, chosen: IntArray) -> "Study":
        """Return a study of the topics with these indexes."""
        topics, size = len(chosen), self.level.shape[1]
        high, low = (np.argmax(self.grade[chosen] == value, axis=1) for value in (3, 0))
        starts = np.arange(topics) * size
        truth = Truth(
            tuple(f"{place:03}" for place in range(topics)),
            tuple(f"{place:03}-{document:02}" for place in range(topics) for document in range(size)),
            np.repeat(np.arange(topics), size),
            self.grade[chosen].ravel(),
            self.level[chosen].ravel(),
            starts + high,
            starts + low,
        )
        scores = np.tile(np.arange(DEPTH, 0, -1.0), topics)
        runs = [
            Run.from_columns(f"r{place}", *truth.table[(starts[:, None] + of_run[chosen]).ravel()], scores)
            for place, of_run in enumerate(self.order)
        ]
        return Study(truth, runs, pool_of(runs, DEPTH), self.limit[chosen].ravel())


@dataclass(frozen=True, eq=False)
class Study:
    """The topics of a study, its runs, its pool, and the gain without noise of each document of `truth`."""

    truth: Truth
    runs: list[Run]
    pool: Pool
    limit: FloatArray

    def worth(self) -> FloatArray:
        """Return the gain without noise of each document of the pool (documents,)."""
        table = self.truth.table.with_columns(gain=self.limit)
        joined = self.pool.table.join(table, on=PAIR, how="left", maintain_order="left")
        return joined["gain"].to_numpy()

    def anchors(self) -> pl.DataFrame:
        """Return the anchors that a run retrieves."""
        listed = self.truth.table[np.concatenate([self.truth.high, self.truth.low])]
        return listed.join(self.pool.table, on=PAIR, how="semi")

    def sample(self, share: float, rng: np.random.Generator, *, equal: bool = False) -> Sample:
        """Draw a share of the pool, by influence or with equal chances. Anchors are always in."""
        size = np.ones(len(self.pool.table)) if equal else influence(self.pool, MEASURE)
        budget = round(share * len(self.pool.table))
        return draw(self.pool, size, budget, rng=rng, always=self.anchors())

    def judge(
        self, documents: pl.DataFrame, crowd: Crowd, judgments: int, rng: np.random.Generator
    ) -> Judgments:
        """Return the judgments of these documents. The anchors are in every unit.

        A topic needs a document that is not an anchor to have a unit. If it has none, its first document
        without a place in the sample is judged too, and its gain is not used.
        """
        names = self.truth.table.with_row_index("place")
        places = names.join(documents, on=PAIR, how="semi")["place"].to_numpy()
        is_judged = np.isin(np.arange(len(self.truth.topic)), places)
        is_anchor = np.zeros_like(is_judged)
        is_anchor[self.truth.high] = is_anchor[self.truth.low] = True
        without = np.bincount(self.truth.topic, is_judged & ~is_anchor) == 0
        for topic in np.flatnonzero(without):
            is_judged[np.flatnonzero((self.truth.topic == topic) & ~is_anchor)[0]] = True
        kept = np.flatnonzero(is_judged | is_anchor)
        place = np.full(len(is_judged), -1)
        place[kept] = np.arange(len(kept))
        truth = Truth(
            self.truth.topics,
            tuple(self.truth.documents[at] for at in kept),
            *(part[kept] for part in (self.truth.topic, self.truth.grade, self.truth.level)),
            *(place[anchor] for anchor in (self.truth.high, self.truth.low)),
        )
        plan = plan_units(truth, judgments, 6, rng)
        return simulate_study(truth, crowd, rng, plan=plan).judgments

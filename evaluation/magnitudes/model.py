"""A log-normal model of magnitudes: the levels of documents, and how workers turn levels into numbers.

The model of a magnitude s is ln s = location of the unit + exponent of the worker · level of the document +
noise. The noise is normal, and its variance depends on the worker. `fit_levels` estimates all of these
together.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
import scipy

from ..arrays import FloatArray, IntArray
from ..frames import Judgments
from ..showing import short_repr

LEAST_EXPONENT: Final = 0.05
"""The smallest exponent. It is positive, so the model never turns a worker's order of documents around."""
LEAST_VARIANCE: Final = 1e-8
"""The smallest variance of noise and levels, so that judgments without noise or differences can be fitted."""
MOST_ALIKE: Final = 1e4
"""The largest number of judgments that the prior of the workers' noise can count for."""
EXPONENT_PRIOR: Final = (4, 0.1)
"""The prior of the variance of exponents. It counts for 4 workers, whose exponents have the variance 0.1."""
LEVEL_PRIOR: Final = 2
"""The prior of the variance of levels counts for this many documents.

Their levels vary as much as the log magnitudes in a unit do. Without this prior, the model could take all
differences between a few documents for noise, and give all of them the same gain.
"""
MOST_ROUNDS: Final = 500
"""The fit ends after this number of rounds at the latest."""
SETTLED: Final = 1e-7
"""The fit ends when no level changes by more than this in a round."""


@short_repr
@dataclass(frozen=True, eq=False)
class Fit:
    """The estimates of the model. All arrays have one value for each judgment, in the order of the rows.

    `level` is the level of the judgment's document, as a natural logarithm on the scale of its topic.
    `judged` is the estimate of this level from the judgment alone. `exponent` and `noise` are those of the
    judgment's worker. `noise` is a standard deviation.
    """

    level: FloatArray
    judged: FloatArray
    exponent: FloatArray
    noise: FloatArray


def fit_levels(judgments: Judgments, magnitudes: FloatArray) -> Fit:
    """Fit the model to positive `magnitudes`, one for each judgment, and return its estimates.

    The model is ln s = a_u + b_w·θ_d + ε for a judgment of document d in unit u by worker w. The location a_u
    has no prior. So multiplying all numbers of a unit by a constant changes only the scale of the topic. The
    other estimates are shrunk towards the centres of their priors. The judgments determine how strongly. The
    priors are:

    - for the level, θ_d ~ N(0, τ²), so a document with few or noisy judgments moves towards the middle of
      its topic;
    - for the exponent, b_w ~ N(1, β²), so a worker with few judgments gets an exponent close to 1;
    - for the variance of the noise, σ_w² ~ scaled inverse χ²(ν, s₀²), as in Smyth (2004, section 3).

    If a unit has no worker id, it counts as the only unit of its worker. Variational Bayes (Bishop 2006,
    chapter 10) with independent factors estimates a, θ, b and σ in turn. Empirical Bayes (EM) estimates τ, β,
    ν and s₀. The two steps alternate until no level changes by more than `SETTLED`, or for at most
    `MOST_ROUNDS` rounds. `LEVEL_PRIOR` and `EXPONENT_PRIOR` are weak priors of τ and β, which matter only if
    there are few documents or few workers.

    The levels are on the same scale as the logarithms of magnitudes that are normalised with `"geometric"`.
    The mean exponent over all judgments is 1. In each topic, the mean of the levels over all judgments is the
    mean of ln s. Two units are linked if they share documents, or if a chain of linked units connects them.
    Units that are not linked cannot be compared, so each group of linked units gets the same mean level over
    its documents.

    The order of the rows has no effect on the results, not even on the last digit. The judgments of one
    topic also affect the results for other topics, because they add to what is known about a worker's
    exponent and noise.

    References: G. K. Smyth, Linear models and empirical Bayes methods for assessing differential expression
    in microarray experiments, SAGMB 3(1), 2004. C. M. Bishop, Pattern recognition and machine learning, 2006.
    """
    if not len(magnitudes):
        return Fit(*(np.empty(0) for _ in range(4)))
    rows = judgments.table.with_row_index("row").with_columns(
        magnitude=magnitudes, worker=_workers(judgments)
    )
    rows = rows.sort("topic_id", "document_id", "worker", "unit_id", "magnitude")
    fitted = _Fitting.of(rows).run()
    order = rows["row"].to_numpy()
    estimates = [np.empty(len(order)) for _ in range(4)]
    for estimate, values in zip(estimates, fitted, strict=True):
        estimate[order] = values
    return Fit(*estimates)


def _workers(judgments: Judgments) -> pl.Expr:
    """Return an id of each judgment's worker. A unit without a worker id gets an id of its own."""
    of_unit = pl.concat_str(pl.lit("unit"), "topic_id", "unit_id", separator="\0")
    if "worker_id" not in judgments.table.columns:
        return of_unit
    return pl.when(pl.col("worker_id") == "").then(of_unit).otherwise("worker_id")


@dataclass(eq=False)
class _Fitting:
    """The judgments as sorted arrays of numbers, and the current estimates.

    The first five fields have one value for each judgment: ln s, and the indexes of its topic, document, unit
    and worker. `whole` has one value for each document: the index of its group of linked units (see
    `fit_levels`).

    `level` and `exponent` are the means of θ and b, and `level_variance` and `exponent_variance` are their
    variances. `precision` is the mean of 1/σ². `level_prior` and `exponent_prior` are τ² and β².
    `noise_prior` and `noise_weight` are s₀² and ν. `spread` is the variance of ln s within units. `squares`
    has, for each judgment, the expected value of (θ − m)², where m is the mean of θ in the unit.
    """

    log: FloatArray
    topic: IntArray
    document: IntArray
    unit: IntArray
    worker: IntArray
    whole: IntArray

    @classmethod
    def of(cls, rows: pl.DataFrame) -> "_Fitting":
        keys = [["topic_id"], ["topic_id", "document_id"], ["topic_id", "unit_id", "worker"], ["worker"]]
        ranks = rows.select(pl.struct(key).rank("dense").alias(str(place)) for place, key in enumerate(keys))
        topic, document, unit, worker = (rank.to_numpy().astype(np.int64) - 1 for rank in ranks)
        documents, units = document.max() + 1, unit.max() + 1
        edges = scipy.sparse.coo_array(
            (np.ones(len(unit)), (document, documents + unit)), shape=(documents + units, documents + units)
        )
        _, part = scipy.sparse.csgraph.connected_components(edges, directed=False)
        whole = part[:documents].astype(np.int64)
        log = np.log(rows["magnitude"].to_numpy())
        return cls(log, topic, document, unit, worker, whole)

    @cached_property
    def unit_sizes(self) -> FloatArray:
        return np.bincount(self.unit).astype(np.float64)

    @cached_property
    def worker_sizes(self) -> FloatArray:
        return np.bincount(self.worker).astype(np.float64)

    @cached_property
    def worker_units(self) -> FloatArray:
        """The number of units of each worker."""
        first = np.unique(self.unit, return_index=True)[1]
        return np.bincount(self.worker[first]).astype(np.float64)

    @cached_property
    def centred(self) -> FloatArray:
        """For each judgment, ln s minus the mean of ln s in its unit.

        The location of a unit has no prior, so it drops out.
        """
        return self._within_unit(self.log)

    def _within_unit(self, values: FloatArray) -> FloatArray:
        centred: FloatArray = values - (np.bincount(self.unit, values) / self.unit_sizes)[self.unit]
        return centred

    def _by_worker(self, values: FloatArray) -> FloatArray:
        return np.bincount(self.worker, values).astype(np.float64)

    def run(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Fit the model. Return the level, the judged level, the exponent and the noise of each judgment."""
        self._start()
        for _ in range(MOST_ROUNDS):
            before = self.level
            self._update_levels()
            self._update_exponents()
            self._update_noise()
            if np.abs(self.level - before).max() <= SETTLED:
                break
        return self._on_the_scale_of_topics()

    def _start(self) -> None:
        """Set the first estimates: mean levels, exponents of 1, and the same noise for all workers."""
        documents = np.bincount(self.document)
        self.level = np.bincount(self.document, self.centred) / documents
        self.spread = max(float(np.mean(self.centred**2)), LEAST_VARIANCE)
        self.level_prior = max(float(np.mean(self.level**2)), LEAST_VARIANCE)
        noise = max(float(np.mean((self.centred - self.level[self.document]) ** 2)), LEAST_VARIANCE)
        workers = len(self.worker_sizes)
        self.exponent, self.exponent_variance = np.ones(workers), np.zeros(workers)
        self.exponent_prior = EXPONENT_PRIOR[1]
        self.precision = np.full(workers, 1 / noise)
        self.noise_prior, self.noise_weight = noise, 4.0

    def _update_levels(self) -> None:
        exponent, precision = self.exponent, self.precision
        square = precision * (exponent**2 + self.exponent_variance)
        seen = exponent[self.worker] * self.level[self.document]
        # The estimated location of a unit is the mean of ln s minus exponent · level over its judgments.
        rest = self.centred + seen - self._within_unit(seen)
        total = np.bincount(self.document, (precision * exponent)[self.worker] * rest)
        certain = 1 / self.level_prior + np.bincount(self.document, square[self.worker])
        level = total / certain
        sizes = np.bincount(self.whole)
        self.level = level - (np.bincount(self.whole, level) / sizes)[self.whole]
        self.level_variance = 1 / certain
        self.level_prior = _pooled(self.level**2 + self.level_variance, LEVEL_PRIOR, self.spread)

    def _update_exponents(self) -> None:
        level = self._within_unit(self.level[self.document])
        size = self.unit_sizes[self.unit]
        square = level**2 + self.level_variance[self.document] * (1 - 1 / size)
        certain = 1 / self.exponent_prior + self.precision * self._by_worker(square)
        product = self._by_worker(level * self.centred)
        exponent = (1 / self.exponent_prior + self.precision * product) / certain
        self.exponent = np.maximum(exponent, LEAST_EXPONENT)
        self.exponent_variance = 1 / certain
        self.exponent_prior = _pooled((self.exponent - 1) ** 2 + self.exponent_variance, *EXPONENT_PRIOR)
        self.squares = square
        self._rescale(float(np.mean(self.exponent[self.worker])))

    def _rescale(self, mean: float) -> None:
        """Divide the exponents by `mean`, their mean over all judgments. Multiply the levels by `mean`."""
        self.exponent, self.exponent_variance = self.exponent / mean, self.exponent_variance / mean**2
        self.level, self.level_variance = self.level * mean, self.level_variance * mean**2
        self.level_prior *= mean**2
        self.squares *= mean**2

    def _update_noise(self) -> None:
        exponent = self.exponent[self.worker]
        level = self._within_unit(self.level[self.document])
        size = self.unit_sizes[self.unit]
        rest = (self.centred - exponent * level) ** 2
        rest += exponent**2 * self.level_variance[self.document] * (1 - 1 / size)
        total = self._by_worker(rest) + self.exponent_variance * self._by_worker(self.squares)
        total += self.worker_units / self.precision  # the uncertainty of the locations
        shape = (self.noise_weight + self.worker_sizes) / 2
        rate = (self.noise_weight * self.noise_prior + total) / 2
        rate = np.maximum(rate, shape * LEAST_VARIANCE)
        self.precision = shape / rate
        # The prior that fits these workers best: s₀² and ν.
        self.noise_prior = float(1 / np.mean(self.precision))
        spread = float(np.mean(np.log(rate) - scipy.special.digamma(shape)) - np.log(self.noise_prior))
        self.noise_weight = float(np.clip(2 * _shape(spread), 1.0, MOST_ALIKE))

    def _on_the_scale_of_topics(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        exponent, noise = self.exponent[self.worker], np.sqrt(1 / self.precision)[self.worker]
        level = self.level[self.document]
        rest = self.centred - self._within_unit(exponent * level) + exponent * level
        # Estimate the level from one judgment alone, by regression. More noise moves it closer to the middle.
        slope = exponent / (exponent**2 * self.level_prior + noise**2)
        slope /= np.mean(slope * exponent)
        judged = slope * rest
        sizes = np.bincount(self.topic)
        middle = np.bincount(self.topic, self.log) / sizes
        level, judged = (
            values + (middle - np.bincount(self.topic, values) / sizes)[self.topic]
            for values in (level, judged)
        )
        return level, judged, exponent, noise


def _pooled(squares: FloatArray, weight: int, variance: float) -> float:
    """Return the mean of `squares` after adding `weight` further squares with a mean of `variance`."""
    return float((np.sum(squares) + weight * variance) / (len(squares) + weight))


def _shape(spread: float) -> float:
    """Return the k for which ln k − ψ(k) is `spread`, by Newton's method (Minka 2002, Estimating a Gamma)."""
    if spread <= 0.5 / MOST_ALIKE:
        return MOST_ALIKE
    k = (3 - spread + np.sqrt((spread - 3) ** 2 + 24 * spread)) / (12 * spread)
    for _ in range(4):
        slope = 1 / k - scipy.special.polygamma(1, k)
        k /= 1 + (np.log(k) - scipy.special.digamma(k) - spread) / (slope * k)
        k = max(k, 1e-3)
    return float(k)

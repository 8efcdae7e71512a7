"""Compare with the peers on the grades of `llmjudge`: ppi-python, statAP, infAP and xinfAP.

    PLUMBLINE_COLLECTIONS=… python -m tests.benchmarks.sampling peers --draws 30

ppi-python estimates the same measure, DCG@10, on the same draws. The others estimate average precision, each
from its own sampling design, with as many judged documents. Errors are relative, so that they can be
compared: the root mean square error of all differences between runs, divided by the root mean square of these
differences. It needs the packages in the `peers` group of `pyproject.toml`.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.comparison import tau_b
from evaluation.comparison.freedom import student_quantile
from evaluation.frames import Gains
from evaluation.pairs import PAIR
from evaluation.runs import Run
from evaluation.sampling import Sample, draw, estimate, pool_of
from evaluation.sampling.linear import LinearMeasure
from tests.benchmarks.sampling.average_precision import (
    average_precision,
    draw_for_stat,
    draw_strata,
    inferred_ap,
    stat_ap,
)
from tests.benchmarks.sampling.grades import DEPTH, MEASURE, made_up_runs, sizes

RELEVANT: Final = 2
"""The lowest grade that counts as relevant for average precision, as in TREC DL."""
SHARES: Final = (0.1, 0.2, 0.3, 0.5)


class Found(NamedTuple):
    """Estimated means (runs,), and the bounds of intervals of differences (pairs,), if there are any."""

    means: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None


def compared(
    truth: Gains, predictions: list[Gains], *, systems: int, draws: int
) -> Iterator[dict[str, object]]:
    """Yield a row for each share, draw and method, with the sums that the table needs."""
    runs = made_up_runs(truth, systems, np.random.default_rng(1))
    pool = pool_of(runs, DEPTH)
    pairs = np.array([*combinations(range(systems), 2)]).T
    joined = pool.table.join(truth.table, on=PAIR, how="left", maintain_order="left")
    gain = joined["gain"].to_numpy()
    model = np.mean(
        [
            pool.table.join(of.table, on=PAIR, how="left", maintain_order="left")["gain"].to_numpy()
            for of in predictions
        ],
        axis=0,
    )
    weights = pool.weights(LinearMeasure.of(MEASURE))
    topics = Topics.of(truth, runs)
    dcg, precision = weights @ gain, topics.means()
    for share in SHARES:
        budget = round(share * len(pool.table))
        for seed in range(draws):
            for chosen, size in sizes(pool).items():
                sample = draw(pool, size, budget, rng=np.random.default_rng(seed))
                found = {
                    **ours(truth, runs, sample, predictions, pairs),
                    "ppi-python": by_ppi(weights, gain, model, sample, pairs),
                }
                for method, each in found.items():
                    yield row(method, chosen, "DCG@10", share, each, dcg, pairs)
            rng = np.random.default_rng([seed, budget])
            for method, by in METHODS.items():
                each = by(topics, budget // len(topics.ranks), pairs, rng)
                yield row(method, "its own design", "AP", share, each, precision, pairs)


def row(
    method: str, chosen: str, measure: str, share: float, found: Found, true: FloatArray, pairs: IntArray
) -> dict[str, object]:
    """Return the results of one draw. `covered` is the share of intervals with the true difference."""
    first, second = pairs
    apart = true[first] - true[second]
    error = found.means[first] - found.means[second] - apart
    covered = None
    width = None
    if found.low is not None and found.high is not None:
        covered = float(((found.low <= apart) & (apart <= found.high)).mean())
        width = float((found.high - found.low).mean() / np.sqrt((apart**2).mean()))
    return {
        "method": method,
        "chosen": chosen,
        "measure": measure,
        "share": share,
        "square": float((error**2).mean() / (apart**2).mean()),
        "tau": tau_b(found.means, true),
        "covered": covered,
        "width": width,
    }


def ours(
    truth: Gains, runs: list[Run], sample: Sample, predictions: list[Gains], pairs: IntArray
) -> dict[str, Found]:
    """Return the library's estimates for these topics, by the evidence."""
    scores = estimate(truth, runs, MEASURE, sample, predictions=predictions)[MEASURE]
    means = scores.means("these_topics")
    apart = pl.concat(
        scores.difference(scores.runs[one], scores.runs[other], "these_topics") for one, other in pairs.T
    )
    return {
        name: Found(
            means.filter(evidence=evidence)["mean"].to_numpy(),
            *(apart.filter(evidence=evidence)[end].to_numpy() for end in ("low", "high")),
        )
        for name, evidence in (("people", "people"), ("people and predictions", "predictions"))
    }


def by_ppi(
    weights: FloatArray, gain: FloatArray, model: FloatArray, sample: Sample, pairs: IntArray
) -> Found:
    """Return the estimates of ppi-python with its tuned λ, from the mean grade of the models.

    A mean score is a mean over all documents of N·w·g. Sampled documents have the weight 1/π.
    """
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    sampled, chances = (sample.table[name].to_numpy() for name in ("sampled", "inclusion"))
    worth, weight = len(gain) * weights, 1 / chances[sampled]
    means = [
        float(np.squeeze(ppi_mean_pointestimate(*_columns(of_run, gain, model, sampled), w=weight)))
        for of_run in worth
    ]
    ends = [
        ppi_mean_ci(*_columns(worth[one] - worth[other], gain, model, sampled), alpha=0.05, w=weight)
        for one, other in pairs.T
    ]
    low, high = np.array(ends).reshape(len(ends), 2).T
    return Found(np.array(means), low, high)


def _columns(
    worth: FloatArray, gain: FloatArray, model: FloatArray, sampled: BoolArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    return (worth * gain)[sampled], (worth * model)[sampled], (worth * model)[~sampled]


class Topics(NamedTuple):
    """The ranks of all graded documents in each run (runs, documents), and which are relevant, by topic."""

    ranks: list[IntArray]
    relevant: list[BoolArray]

    @classmethod
    def of(cls, truth: Gains, runs: list[Run]) -> "Topics":
        pool = pool_of(runs, int(truth.table.group_by("topic_id").len()["len"].max()))
        gain = pool.table.join(truth.table, on=PAIR, how="left", maintain_order="left")["gain"].to_numpy()
        places = [np.flatnonzero(pool.topic == topic) for topic in range(len(pool.topics))]
        return cls([pool.ranks[:, at] for at in places], [gain[at] >= RELEVANT for at in places])

    def means(self) -> FloatArray:
        """Return the mean average precision of each run if all documents are judged."""
        return np.mean([average_precision(*topic) for topic in zip(*self, strict=True)], axis=0)


def by_stat_ap(topics: Topics, size: int, pairs: IntArray, rng: np.random.Generator) -> Found:
    """Return statAP's estimates, with normal intervals from its estimated variances."""
    found = [
        stat_ap(ranks, relevant, draw_for_stat(ranks, size, rng))
        for ranks, relevant in zip(*topics, strict=True)
    ]
    means = np.mean([estimate for estimate, _ in found], axis=0)
    covariance = np.sum([of_topic for _, of_topic in found], axis=0) / len(found) ** 2
    first, second = pairs
    variance = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    half = student_quantile(0.95, np.inf) * np.sqrt(np.maximum(variance, 0))
    center = means[first] - means[second]
    return Found(means, center - half, center + half)


def by_inferred_ap(topics: Topics, size: int, _pairs: IntArray, rng: np.random.Generator) -> Found:
    """Return infAP's estimates from equal chances. It offers no intervals."""
    return _inferred(topics, rng, lambda ranks: (np.zeros(ranks.shape[1], dtype=np.int64), np.array([size])))


def by_stratified_ap(topics: Topics, size: int, _pairs: IntArray, rng: np.random.Generator) -> Found:
    """Return xinfAP's estimates: half of the documents are from the first 10 ranks of any run."""

    def strata(ranks: IntArray) -> tuple[IntArray, IntArray]:
        return (ranks.min(axis=0) > DEPTH).astype(np.int64), np.array([size - size // 2, size // 2])

    return _inferred(topics, rng, strata)


def _inferred(
    topics: Topics, rng: np.random.Generator, strata: Callable[[IntArray], tuple[IntArray, IntArray]]
) -> Found:
    found = []
    for ranks, relevant in zip(*topics, strict=True):
        stratum, taken = strata(ranks)
        found.append(inferred_ap(ranks, relevant, stratum, draw_strata(stratum, taken, rng)))
    return Found(np.mean(found, axis=0))


METHODS: Final[dict[str, Callable[[Topics, int, IntArray, np.random.Generator], Found]]] = {
    "statAP": by_stat_ap,
    "infAP": by_inferred_ap,
    "xinfAP": by_stratified_ap,
}


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each method and way of choosing documents, from the rows of all draws."""
    keys = ["share", "measure", "method", "chosen"]
    return rows.group_by(keys, maintain_order=True).agg(
        (pl.col("square").mean().sqrt()).alias("relative error"),
        *(pl.col(name).mean() for name in ("tau", "covered", "width")),
    )

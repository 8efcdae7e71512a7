"""Measure what known chances would cost an adaptive study, and which of its intervals hold.

`python -m tests.benchmarks.adapting --chances` prints the tables. All studies except the last one are
measured at half the cost of a complete study. The designs are:

- adaptive: as the rule plans it.
- the same plan: the units of the adaptive study, judged again from the first round on by other workers. No
  judgment decides about its plan, so it shows what the numbers of judgments alone do to the intervals.
- known chances: each batch has an expected number of judgments for each document. This number comes from the
  weights of the rule, and is never below a tenth of an equal share. The batch is drawn systematically with
  these numbers. Its gains are computed as in every study.
- weights 1/π, weights 1/√π: the same judgments. Each batch gives an estimate of each log gain that is
  unbiased, because it is weighted by the inverse of the expected number. The estimates of the batches count
  equally, or by the square root of the expected number [Hadad et al., PNAS 118(15), 2021].
- fixed: a study whose judgments are spread evenly.
- adaptive, stop: another adaptive study, measured when the rule stops it or at the cost of a complete study.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy

from evaluation.allocation import Settings
from evaluation.allocation.influence import Pairs, effects, mean_over_topics
from evaluation.allocation.uncertainty import estimate
from evaluation.arrays import BoolArray, FloatArray
from evaluation.comparison import system_intervals, tau_b
from evaluation.crowds import Crowd, Truth, draw_truth, simulate_study
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, intervals, normalise
from evaluation.ranking import rank
from evaluation.runs import Run
from tests.benchmarks.adapting import DOCUMENTS, MEASURE, NOMINAL, PILOT, TOPICS, adaptive, fixed, systems
from tests.benchmarks.known_chances import BATCH, HALF, KEYS, OTHERS, SETTINGS, documents_of, known_chances

LIMIT = 150
"""The judgments for each document from which the true means of the runs are computed."""
EVERY = 10
"""Intervals of the runs' means take most of the time, so only every tenth seed has them."""
TABLES = (
    ("tau", "document: gains", "topic: gains", "judged often", "document: width", "topic: width"),
    ("rule: differences", "differences", "means", "bias of means"),
)
"""The columns of each table."""


@dataclass(frozen=True)
class World:
    """The truth of a seed: the true levels, sorted by topic and document, and the runs."""

    truth: Truth
    crowd: Crowd
    runs: list[Run]
    level: FloatArray

    def means(self, known: Gains) -> FloatArray:
        """Return the mean of each run by these gains."""
        return mean_over_topics(MEASURE.values(rank(known, self.runs).lists))


def rows(crowd: Crowd, seed: int) -> Iterator[dict[str, object]]:
    """Yield a row for each design, with its results."""
    rng = np.random.default_rng([seed, 77])
    truth = draw_truth([DOCUMENTS] * TOPICS, crowd, rng)
    level = truth.gains().table.sort(KEYS)["gain"].log().to_numpy()
    world = World(truth, crowd, systems(truth, rng), level)
    today = next(
        judgments
        for judgments, _ in adaptive(truth, crowd, world.runs, SETTINGS, seed, rng)
        if judgments.table["unit_id"].n_unique() >= HALF
    )
    chances, expected = known_chances(truth, crowd, world.runs, seed, rng)
    designs = {
        "adaptive": today,
        "the same plan": judged_again(world, today, rng),
        "known chances": chances,
        "fixed": fixed(truth, crowd, HALF, rng),
    }
    about = {"crowd": crowd.name, "seed": seed}
    means = means_without_noise(world, rng) if seed % EVERY == 0 else None
    for name, judgments in designs.items():
        of_means = measured_means(world, judgments, means)
        yield {**about, "design": name, **measured(world, judgments), **of_means}
    for name, power in (("weights 1/π", 0.0), ("weights 1/√π", 0.5)):
        yield {**about, "design": name, **weighted(world, chances, expected, power)}
    yield {**about, "design": "adaptive, stop", **measured(world, stopped(world, seed))}


def stopped(world: World, seed: int) -> Judgments:
    """Return an adaptive study when the rule stops it, or at the cost of a complete study."""
    rng, settings = np.random.default_rng([seed, 78]), Settings(units=BATCH, most_units=2 * HALF)
    (last,) = deque(adaptive(world.truth, world.crowd, world.runs, settings, seed, rng), maxlen=1)
    return last[0]


def judged_again(world: World, judgments: Judgments, rng: np.random.Generator) -> Judgments:
    """Return a study with the units of these judgments, all judged by other workers."""
    places = {row: place for place, row in enumerate(world.truth.table.iter_rows())}
    others = judgments.table.filter(pl.col("gold") == "").group_by("topic_id", "unit_id", maintain_order=True)
    plan = np.full((judgments.table["unit_id"].n_unique(), OTHERS), -1)
    for unit, (topic, _, names) in enumerate(others.agg("document_id").iter_rows()):
        plan[unit, : len(names)] = [places[topic, name] for name in names]
    return simulate_study(world.truth, world.crowd, rng, plan=plan).judgments


def measured(world: World, judgments: Judgments) -> dict[str, float]:
    """Return the results of a study whose gains are medians of all judgments."""
    normalized = normalise(judgments, "additive")
    _, is_other = documents_of(judgments)
    error = estimate(judgments, normalized).error()
    result = _of_runs(world, gains(judgments, normalized), error)
    for spread in ("document", "topic"):
        table = intervals(
            judgments, normalized, np.random.default_rng(0), level=NOMINAL, resamples=1000, spread=spread
        )
        inside, width = _covered(world, *(np.log(table[name].to_numpy()) for name in ("gain", "low", "high")))
        result |= {
            f"{spread}: gains": inside[is_other].mean(),
            f"{spread}: width": np.median(width[is_other]),
        }
        if spread == "topic":
            often = table["judgments"].to_numpy() > PILOT
            result["judged often"] = inside[is_other & often].mean()
    return result


def means_without_noise(world: World, rng: np.random.Generator) -> FloatArray:
    """Return the means of the runs by gains that have almost no noise."""
    judged = simulate_study(world.truth, world.crowd, rng, judgments_per_document=LIMIT).judgments
    return world.means(gains(judged, normalise(judged, "additive")))


def measured_means(world: World, judgments: Judgments, means: FloatArray | None) -> dict[str, float | None]:
    """Return how often the intervals of the runs' means, and of differences between them, hold.

    Without `means`, the true ones, all values are None.
    """
    if means is None:
        return dict.fromkeys(TABLES[1][1:])
    found = system_intervals(
        judgments, world.runs, MEASURE, rng=np.random.default_rng(0), method="additive", resamples=100
    )
    (result,) = found.values()
    names = [run.tag for run in world.runs]
    table = result.means("these_topics").sort("run")
    low, high = table.select("low", "high").to_numpy().T
    covered = []
    for first, second in _some_pairs(len(names)):
        row = result.difference(names[first], names[second], "these_topics").row(0, named=True)
        covered.append(row["low"] <= means[first] - means[second] <= row["high"])
    return {
        "means": float(((low <= means) & (means <= high)).mean()),
        "bias of means": float((table["mean"].to_numpy() - means).mean()),
        "differences": float(np.mean(covered)),
    }


def _some_pairs(systems_number: int) -> list[tuple[int, int]]:
    """Return pairs of systems that are neighbours, or 7 or 12 places apart."""
    firsts = range(0, systems_number, 3)
    return [(first, (first + step) % systems_number) for first in firsts for step in (1, 7, 12)]


def weighted(
    world: World, judgments: Judgments, expected: list[FloatArray], power: float
) -> dict[str, float]:
    """Return the results of the study if each batch has weights.

    A batch with c judgments of a document, k of them expected, estimates its log gain as m + (c/k)·(y − m).
    Here y is the mean of the c log magnitudes, and m is the mean of the earlier ones. The estimates of all
    batches are averaged with the weights k^`power`. The standard error assumes the spread of the document.
    """
    normalized = normalise(judgments, "additive")
    keys, is_other = documents_of(judgments)
    uncertain = estimate(judgments, normalized, "gmean")
    batch = pl.col("unit_id").str.extract(r"^(\d+)-").cast(pl.Int64).fill_null(0)
    logs = judgments.table.select(*KEYS, batch=batch, log=np.log(normalized))
    numbers, sums = [], []
    for number in range(len(expected) + 1):
        part = logs.filter(batch=number).group_by(KEYS).agg(pl.len(), pl.sum("log"))
        part = keys.join(part, on=KEYS, how="left", maintain_order="left").fill_null(0)
        numbers.append(part["len"].to_numpy().astype(float))
        sums.append(part["log"].to_numpy())
    number, total, sigma = numbers[0], sums[0], uncertain.sigma
    first = number**power if power else number
    above, below, variance = first * total / number, first, first**2 * sigma**2 / number
    for mean, judged, added in zip(expected, numbers[1:], sums[1:], strict=True):
        k = np.where(mean > 0, mean, 1.0)
        weight = np.where(mean > 0, k**power, 0.0)
        earlier = total / number
        above = above + weight * (earlier + (added - judged * earlier) / k)
        below = below + weight
        part_of = k - np.floor(k)
        variance = variance + weight**2 * sigma**2 * (1 / k + part_of * (1 - part_of) / k**2 / number)
        number, total = number + judged, total + added
    # Anchors are in every unit, so their means need no weights.
    level = np.where(is_other, above / below, np.log(uncertain.gain))
    error = np.where(is_other, np.sqrt(variance) / below, uncertain.error())
    away = scipy.stats.t.ppf((1 + NOMINAL) / 2, uncertain.judgments + 3) * error
    inside, width = _covered(world, level, level - away, level + away)
    often = uncertain.judgments > PILOT
    return {
        **_of_runs(world, Gains.from_checked(keys.with_columns(gain=np.exp(level))), error),
        "topic: gains": inside[is_other].mean(),
        "topic: width": float(np.median(width[is_other])),
        "judged often": inside[is_other & often].mean(),
    }


def _of_runs(world: World, found: Gains, error: FloatArray) -> dict[str, float]:
    """Return τ with the true ranking, and how often the rule's intervals of differences hold."""
    lists = rank(found, world.runs).lists
    means = mean_over_topics(MEASURE.values(lists))
    pairs = Pairs.of(means, effects(MEASURE, lists, error))
    above = np.triu_indices(len(means), 1)
    reach = scipy.stats.norm.ppf((1 + NOMINAL) / 2) * pairs.error[above]
    true_means = world.means(world.truth.gains())
    true = (true_means[:, None] - true_means)[above]
    return {
        "tau": tau_b(means, true_means) or 0.0,
        "rule: differences": float((np.abs(pairs.difference[above] - true) <= reach).mean()),
    }


def _covered(
    world: World, logs: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[BoolArray, FloatArray]:
    """Return whether each interval of a log gain contains the true level, and half its width.

    The scale of a topic is arbitrary, so the levels of a topic are moved to the mean of its log gains.
    """
    topic = np.repeat(np.arange(TOPICS), len(logs) // TOPICS)
    off = np.bincount(topic, logs - world.level) / np.bincount(topic)
    level = world.level + off[topic]
    return (low <= level) & (level <= high), (high - low) / 2

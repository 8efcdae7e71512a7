"""Measure how well the planner predicts studies with a known truth, for crowds and systems new to it.

    python -m tests.benchmarks.planning --studies 200

Each study has a crowd from `CROWDS` and its own systems. None of these crowds is in
`evaluation.crowds.CROWDS`. The planner gets a pilot with few topics and few judgments. The planned study is
then simulated several times on new topics. Each time, the ranking by its gains is compared with the ranking
by the true gains.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl
from scipy import stats

from evaluation.arrays import FloatArray
from evaluation.comparison.correlation import tau_b
from evaluation.crowds import TYPICAL, Crowd, Truth, draw_truth, simulate_study
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.planning import Prediction, estimate_pilot, plan
from evaluation.runs import Run
from evaluation.scores import score

CROWDS: Final = (
    replace(TYPICAL, name="noisy", noise=0.9, noise_sigma=0.5),
    replace(TYPICAL, name="flat", exponent=0.6, exponent_sigma=0.5),
    replace(TYPICAL, name="round numbers", rounding=(0.0, 1.0, 0.0)),
    replace(TYPICAL, name="careless", lapses=0.2, spammers=0.08, corrections=0.6),
    replace(TYPICAL, name="spread documents", noise=0.35, document_sigma=0.8, wrong_grades=0.25),
)
"""The crowds of the studies. The first study has the first crowd, and so on in turn."""
DOCUMENTS: Final = {"N": 10, "M": 4, "R": 4, "H": 2, "": 20}
MEASURE: Final = "nDCG@10"
NEAR: Final = 0.005
"""To check the power, use pairs of systems whose true difference is within this of the planned one."""
MANY: Final = 150
AGAIN: Final = 4
"""How often each planned study is simulated. The mean τ of these simulations is the real mean."""


@dataclass(frozen=True)
class Outcome:
    """The prediction for a study, and the results of its simulations.

    The arrays have a τ for each simulation. `real` is with the true gains, `replicate` with a second study,
    and `population` with the true gains of very many topics. `factor` is the real width of documents'
    intervals, from the differences between two studies. `found` is the real power: how often a t-test
    confirms the order of two systems whose true difference is close to the planned one. It is NaN if there
    are no such systems.
    """

    crowd: str
    predicted: Prediction
    real: FloatArray
    replicate: FloatArray
    population: FloatArray
    factor: float
    found: float


@dataclass(frozen=True)
class Systems:
    """Systems that rank by skill · level + noise. Systems of the same family share a part of their noise."""

    skill: FloatArray
    family: np.ndarray

    @classmethod
    def drawn(cls, number: int, rng: np.random.Generator) -> "Systems":
        return cls(rng.uniform(0.3, 1.5, number), rng.integers(4, size=number))

    def runs(self, truth: Truth, rng: np.random.Generator, *, depth: int = 15) -> list[Run]:
        """Return the runs, cut off at `depth`. A system's skill differs from topic to topic."""
        families = rng.normal(scale=0.6, size=(4, len(truth.topic)))
        table = truth.table
        runs = []
        for number, (skill, family) in enumerate(zip(self.skill, self.family, strict=True)):
            by_topic = skill + rng.normal(scale=0.25, size=len(truth.topics))
            scores = by_topic[truth.topic] * truth.level + families[family]
            scores += rng.normal(scale=0.8, size=len(scores))
            order = np.lexsort((-scores, truth.topic))
            starts = np.searchsorted(truth.topic, truth.topic)
            top = order[np.arange(len(order)) - starts < depth]
            rows = table[top]
            runs.append(Run.from_columns(f"s{number:02}", rows["topic_id"], rows["document_id"], scores[top]))
        return runs


def outcome(
    crowd: Crowd,
    seed: Sequence[int],
    *,
    pilot: tuple[int, int],
    planned: tuple[int, int],
    again: int = AGAIN,
    many: int = MANY,
    documents: Mapping[str, int] = DOCUMENTS,
) -> Outcome:
    """Plan a study from a pilot of (topics, judgments), and simulate the planned study `again` times.

    The ranking by very many topics uses `many` topics.
    """
    rng = np.random.default_rng(seed)
    systems = Systems.drawn(int(rng.integers(12, 31)), rng)
    judgments, runs, _ = _simulated(crowd, systems, *pilot, documents, rng)
    parts = estimate_pilot(judgments[0], runs, rng=rng, measure=MEASURE)
    prediction_plan = plan(parts, rng=rng, topics=[planned[0]], judgments=[planned[1]])
    prediction = prediction_plan.at(*planned)
    truth = draw_truth([documents] * many, crowd, rng)
    population = _means(truth.gains(), systems.runs(truth, rng))
    taus, factors, by_study = [], [], []
    means: list[tuple[Sequence[float], Sequence[float]]] = []
    for _ in range(again):
        (first, second), runs, true = _simulated(crowd, systems, *planned, documents, rng, studies=2)
        judged = [_gains(study) for study in (first, second)]
        medians = [_means(of_study, runs) for of_study in judged]
        factors.append(_factor(judged, first))
        by_study.append(score(judged[0], runs, MEASURE).values[..., 0])
        by_truth = _means(true, runs)
        means.extend((by_truth, of_study) for of_study in medians)
        taus.append(
            [tau_b(by_truth, medians[0]), tau_b(medians[1], medians[0]), tau_b(population, medians[0])]
        )
    found = _found(by_study, population, means, prediction_plan.difference)
    real, replicate, in_many = np.array(taus, dtype=float).T
    share = float(np.mean(found)) if found else float("nan")
    return Outcome(crowd.name, prediction, real, replicate, in_many, float(np.mean(factors)), share)


def _simulated(
    crowd: Crowd,
    systems: Systems,
    topics: int,
    judgments: int,
    documents: Mapping[str, int],
    rng: np.random.Generator,
    studies: int = 1,
) -> tuple[list[Judgments], list[Run], Gains]:
    truth = draw_truth([documents] * topics, crowd, rng)
    simulated = [
        simulate_study(truth, crowd, rng, judgments_per_document=judgments).judgments for _ in range(studies)
    ]
    return simulated, systems.runs(truth, rng), truth.gains()


def _gains(judgments: Judgments) -> Gains:
    return gains(judgments, normalise(judgments))


def _factor(judged: Sequence[Gains], judgments: Judgments) -> float:
    """Return the real width of the documents' intervals, as `Prediction.factor` defines it."""
    anchors = judgments.table.filter(pl.col("gold") != "").select("topic_id", "document_id").unique()
    tables = [of_study.table.join(anchors, on=["topic_id", "document_id"], how="anti") for of_study in judged]
    apart = np.log(tables[0]["gain"].to_numpy() / tables[1]["gain"].to_numpy())
    low, high = np.quantile(apart, (0.025, 0.975))
    return float(np.exp((high - low) / 2 / np.sqrt(2)))


def _found(
    studies: Sequence[FloatArray],
    population: Sequence[float],
    means: Sequence[tuple[Sequence[float], Sequence[float]]],
    difference: float,
) -> list[bool]:
    """Return, for each study and pair of systems about `difference` apart, whether a t-test finds the pair.

    The differences in very many topics are known only for the true gains. Scores by a study's gains are
    closer together. So the differences are multiplied by the slope of the regression of the systems' means by
    studies on their means by the true gains.
    """
    true, judged = (
        np.array(part) - np.mean(part, axis=1, keepdims=True) for part in zip(*means, strict=True)
    )
    slope = float((true * judged).sum() / (true * true).sum())
    apart = slope * np.subtract.outer(population, population)
    pairs = np.argwhere(np.abs(apart - difference) < NEAR)
    return [
        bool(stats.ttest_rel(values[first], values[second]).pvalue < 0.05)
        for values in studies
        for first, second in pairs
    ]


def _means(by: Gains, runs: list[Run]) -> list[float]:
    return [row.value or 0.0 for row in score(by, runs, MEASURE).means()]


def outcomes(
    studies: int, *, pilot: tuple[int, int], planned: tuple[int, int], crowds: Sequence[Crowd] = CROWDS
) -> Iterator[Outcome]:
    """Yield the outcome of each study. The crowds take turns, and the seed is the number of the study."""
    for number in range(studies):
        yield outcome(crowds[number % len(crowds)], [17, number], pilot=pilot, planned=planned)


def summary(found: Sequence[Outcome], kind: str = "tau", real: str = "real") -> dict[str, float]:
    """Return the means of the predicted and the real τ, two measures of their errors, and the coverage.

    An error is the predicted mean of a study minus its real mean. `error` is the root mean square of these
    errors. `within` is the share of studies with an error of at most .03. `covered` is the share of simulated
    τ in the 90 % range.
    """
    ranges = [getattr(one.predicted, kind) for one in found]
    values = [getattr(one, real) for one in found]
    errors = np.array([range_.mean - value.mean() for range_, value in zip(ranges, values, strict=True)])
    inside = [
        ((value >= range_.low - 1e-9) & (value <= range_.high + 1e-9)).mean()
        for range_, value in zip(ranges, values, strict=True)
    ]
    return {
        "predicted": float(np.mean([range_.mean for range_ in ranges])),
        "real": float(np.mean(values)),
        "error": float(np.sqrt((errors**2).mean())),
        "within": float((np.abs(errors) <= 0.03).mean()),
        "covered": float(np.mean(inside)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--pilot", type=int, nargs=2, default=(6, 5), metavar=("TOPICS", "JUDGMENTS"))
    parser.add_argument("--planned", type=int, nargs=2, default=(18, 10), metavar=("TOPICS", "JUDGMENTS"))
    args = parser.parse_args()
    start = time.perf_counter()
    found = list(outcomes(args.studies, pilot=tuple(args.pilot), planned=tuple(args.planned)))
    print(f"pilot {args.pilot}, planned {args.planned}, {args.studies} studies, each simulated {AGAIN} times")
    print("| crowd | τ | predicted | real | error of a study | within .03 | covered |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for name in ("all", *(crowd.name for crowd in CROWDS)):
        of_crowd = [one for one in found if name in ("all", one.crowd)]
        for kind, real in REALS.items():
            if of_crowd:
                row = summary(of_crowd, kind, real)
                print(f"| {name} | {kind} | " + " | ".join(f"{value:.3f}" for value in row.values()) + " |")
    for name in ("all", *(crowd.name for crowd in CROWDS)):
        of_crowd = [one for one in found if name in ("all", one.crowd)]
        factors = np.mean([(one.predicted.factor, one.factor) for one in of_crowd], axis=0)
        powers = [(one.predicted.power or 0.0, one.found) for one in of_crowd if not np.isnan(one.found)]
        power = np.mean(powers, axis=0) if powers else (np.nan, np.nan)
        print(f"{name}: factor {factors[0]:.2f}, real {factors[1]:.2f}", end="; ")
        print(f"power {power[0]:.3f}, real {power[1]:.3f}")
    print(f"{time.perf_counter() - start:.0f} s")


REALS: Final = {"tau": "real", "tau_replicate": "replicate", "tau_topics": "population"}


if __name__ == "__main__":
    main()

"""Resampling and swap rates: ours, and the loops that one would write around today's tools.

The loops would take minutes, so they do a few of the rounds; what they take is multiplied, and said to be.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import floor, isclose
from pathlib import Path

import numpy as np
from scipy import stats

from evaluation.arrays import FloatArray, IntArray
from evaluation.comparison import discrimination
from evaluation.comparison.discrimination import BINS
from evaluation.comparison.resampling import resample
from evaluation.comparison.results import TIED_WITHIN
from evaluation.files import read_gains, read_runs
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.score_table import Scores
from tests.benchmarks.evaluation_peers import read_run, runs_in
from tests.benchmarks.evaluation_sizes import DRAWS, LOOPED, TRIALS

WORKERS = 10
SYSTEMS, TOPICS, MEASURES = 30, 50, 24  # 435 pairs


class Resamples:
    """One magnitude a document, nDCG@10 of all runs, τ_b with the ranking by medians; ranking included."""

    def __init__(self, folder: Path) -> None:
        self.runs = read_runs(list(map(str, runs_in(folder))))
        self.judgments = _judgments(folder)
        self.normalized = normalise(self.judgments)

    def work(self) -> float:
        rng = np.random.default_rng(1)
        resampled = resample(self.judgments, self.normalized, self.runs, "nDCG@10", rng=rng, times=DRAWS)
        return float(resampled.taus.mean())


class LoopedResamples:
    """The same with pytrec_eval, which takes whole gains alone: magnitudes by 100 and rounded."""

    def __init__(self, folder: Path) -> None:
        judgments = _judgments(folder)
        normalized = normalise(judgments)
        self.medians = _whole(gains(judgments, normalized).table.rows())
        self.magnitudes: dict[str, dict[str, list[float]]] = {}
        columns = judgments.table["topic_id"], judgments.table["document_id"], normalized
        for topic, document, magnitude in zip(*columns, strict=True):
            self.magnitudes.setdefault(topic, {}).setdefault(document, []).append(magnitude)
        self.runs = [read_run(path) for path in runs_in(folder)]
        self.truth = self.means(self.medians)

    def work(self) -> float:
        rng = np.random.default_rng(1)
        taus = []
        for _ in range(LOOPED):
            drawn = (
                (topic, document, values[rng.integers(len(values))])
                for topic, documents in self.magnitudes.items()
                for document, values in documents.items()
            )
            taus.append(stats.kendalltau(self.truth, self.means(_whole(drawn))).statistic)
        return float(np.mean(taus))

    def means(self, qrels: dict[str, dict[str, int]]) -> list[float]:
        import pytrec_eval

        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
        results = (evaluator.evaluate(run).values() for run in self.runs)
        return [sum(row["ndcg_cut_10"] for row in rows) / len(rows) for rows in results]


@dataclass(frozen=True)
class Swapped:
    """What is found of each measure: comparisons and swaps by bin, swaps by pair, and the largest mean."""

    comparisons: list[list[int]]
    swaps: list[list[int]]
    pair_swaps: list[list[int]]
    largest: list[float]

    def is_as(self, other: "Swapped") -> bool:
        """Whether the counts are the same, and the largest means but for rounding."""
        counts = (self.comparisons, self.swaps, self.pair_swaps)
        same = counts == (other.comparisons, other.swaps, other.pair_swaps)
        return same and np.allclose(self.largest, other.largest, rtol=1e-12)


class Swaps:
    """Swap rates of 435 pairs of systems by 24 measures over 1,000 pairs of subsets."""

    def __init__(self, trials: int = TRIALS) -> None:
        values = np.random.default_rng(3).random((SYSTEMS, TOPICS, MEASURES))
        names = (
            [f"{kind}{place}" for place in range(number)]
            for kind, number in zip("stm", values.shape, strict=True)
        )
        self.scores = Scores(*map(tuple, names), values)
        self.trials = trials

    def work(self) -> Swapped:
        result = discrimination(self.scores, rng=np.random.default_rng(1), trials=self.trials)
        parts = result.comparisons, result.swaps, result.pair_swaps, result.largest
        return Swapped(*(part.tolist() for part in parts))


class LoopedSwaps(Swaps):
    """The same over the first few of the same subsets: means by numpy, then a plain loop over the pairs.

    `lists` turns the means to lists of Python's own floats first, with which a loop is quicker.
    """

    def __init__(self, lists: bool) -> None:
        super().__init__()
        self.lists = lists

    def work(self) -> Swapped:
        subsets = np.random.default_rng(1).random((self.trials, TOPICS)).argsort(axis=1)[:LOOPED]
        values = np.moveaxis(self.scores.values, -1, 0)
        result = zip(*(self.swapped(of_measure, subsets) for of_measure in values), strict=True)
        return Swapped(*map(list, result))

    def swapped(self, values: FloatArray, subsets: IntArray) -> tuple[list[int], list[int], list[int], float]:
        comparisons, swaps, largest = [0] * BINS, [0] * BINS, 0.0
        pairs = list(combinations(range(SYSTEMS), 2))
        pair_swaps = [0] * len(pairs)
        half = TOPICS // 2
        for subset in subsets:
            one, other = values[:, subset[:half]].mean(axis=1), values[:, subset[half:]].mean(axis=1)
            largest = max(largest, float(one.max()), float(other.max()))
            if self.lists:
                one, other = one.tolist(), other.tolist()
            for place, (x, y) in enumerate(pairs):
                d = one[x] - one[y]
                bin = min(BINS - 1, floor(100 * (abs(d) + TIED_WITHIN * max(one[x], one[y]))))
                comparisons[bin] += 1
                if _sign(one[x], one[y]) != _sign(other[x], other[y]):
                    swaps[bin] += 1
                    pair_swaps[place] += 1
        return comparisons, swaps, pair_swaps, largest


def _sign(x: float, y: float) -> int:
    if isclose(x, y, rel_tol=TIED_WITHIN):
        return 0
    return 1 if x > y else -1


def _judgments(folder: Path) -> Judgments:
    """Ten workers' magnitudes of every judged document, larger by its grade."""
    judged = read_gains(folder / "qrels")
    rng = np.random.default_rng(2)
    rows = np.repeat(np.arange(len(judged.table)), WORKERS)
    units = [f"{place % WORKERS}" for place in range(len(rows))]
    magnitudes = np.exp(judged.values[rows] + rng.normal(0, 0.7, len(rows)))
    topic, document = (judged.table[name].gather(rows) for name in ("topic_id", "document_id"))
    return Judgments.from_columns(topic, units, document, magnitudes)


def _whole(rows: Iterable[tuple[str, str, float]]) -> dict[str, dict[str, int]]:
    results: dict[str, dict[str, int]] = {}
    for topic, document, gain in rows:
        results.setdefault(topic, {})[document] = round(100 * gain)
    return results

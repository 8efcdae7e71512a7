"""Resampling and swap rates: ours, and the loops that one would write around today's tools.

The loops would take minutes, so they do a few of the rounds; what they take is multiplied, and said to be.
"""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

from evaluation.compare import discrimination
from evaluation.compare.resampling import resample
from evaluation.files import read_gains, read_runs
from evaluation.frames import Judgments, Scores
from evaluation.magnitudes import gains, normalise
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
        dice = np.random.default_rng(1)
        found = resample(self.judgments, self.normalized, self.runs, "nDCG@10", rng=dice, times=DRAWS)
        return float(found.taus.mean())


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
        dice = np.random.default_rng(1)
        taus = []
        for _ in range(LOOPED):
            drawn = (
                (topic, document, values[dice.integers(len(values))])
                for topic, documents in self.magnitudes.items()
                for document, values in documents.items()
            )
            taus.append(stats.kendalltau(self.truth, self.means(_whole(drawn))).statistic)
        return float(np.mean(taus))

    def means(self, qrels: dict[str, dict[str, int]]) -> list[float]:
        import pytrec_eval

        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
        found = (evaluator.evaluate(run).values() for run in self.runs)
        return [sum(row["ndcg_cut_10"] for row in rows) / len(rows) for rows in found]


class Swaps:
    """Swap rates of 435 pairs of systems by 24 measures over 1,000 pairs of subsets."""

    def __init__(self) -> None:
        values = np.random.default_rng(3).random((SYSTEMS, TOPICS, MEASURES))
        names = (
            [f"{kind}{place}" for place in range(number)]
            for kind, number in zip("stm", values.shape, strict=True)
        )
        self.scores = Scores(*map(tuple, names), values)

    def work(self) -> list[int]:
        found = discrimination(self.scores, rng=np.random.default_rng(1), trials=TRIALS)
        return found.swaps.sum(axis=1).tolist()


class LoopedSwaps(Swaps):
    """The same in plain loops over the first few of the same subsets."""

    def work(self) -> list[int]:
        subsets = np.random.default_rng(1).random((TRIALS, TOPICS)).argsort(axis=1)[:LOOPED]
        pairs = list(combinations(range(SYSTEMS), 2))
        half = TOPICS // 2
        found = []
        for measure in range(MEASURES):
            values = self.scores.values[..., measure].tolist()
            comparisons, swaps = [0] * 21, [0] * 21
            for subset in subsets.tolist():
                parts = subset[:half], subset[half : 2 * half]
                one, other = ([sum(row[t] for t in part) / half for row in values] for part in parts)
                for x, y in pairs:
                    d, e = one[x] - one[y], other[x] - other[y]
                    place = min(20, int(100 * abs(d) + 1e-9))
                    comparisons[place] += 1
                    swaps[place] += d * e < 0 or (d == 0) != (e == 0)
            found.append(sum(swaps))
        return found


def _judgments(folder: Path) -> Judgments:
    """Ten workers' magnitudes of every judged document, larger by its grade."""
    judged = read_gains(folder / "qrels")
    dice = np.random.default_rng(2)
    rows = np.repeat(np.arange(len(judged.table)), WORKERS)
    units = [f"{place % WORKERS}" for place in range(len(rows))]
    magnitudes = np.exp(judged.values[rows] + dice.normal(0, 0.7, len(rows)))
    topic, document = (judged.table[name].gather(rows) for name in ("topic_id", "document_id"))
    return Judgments.from_columns(topic, units, document, magnitudes)


def _whole(rows: Iterable[tuple[str, str, float]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for topic, document, gain in rows:
        found.setdefault(topic, {})[document] = round(100 * gain)
    return found

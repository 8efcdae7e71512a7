"""Bias, width and coverage of the intervals of mean scores, in simulated studies whose truth is known.

    nice python -m tests.benchmarks.coverage --seeds 200

The topics of each study are drawn, with replacement, from a bank of simulated topics, so the mean over the bank
is the truth about new topics. Gains without noise come from 300 judgments of each document of the bank. Prints
progress on stderr and a table on stdout.
"""

import argparse
import sys
import time
from dataclasses import dataclass

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray
from evaluation.comparison.system_intervals import TARGETS, system_intervals
from evaluation.crowds import CROWDS, Crowd, Truth, draw_truth, simulate_study
from evaluation.frames import Gains
from evaluation.magnitudes import gains, normalise
from evaluation.runs import Run
from evaluation.scores import score

MEASURES = {"nDCG@10": "nDCG@10", "ERR@10": 'ERR(stop="share")@10'}
JUDGMENTS, TOPICS = (10, 5, 3), (6, 18, 50)
GRADES = {"H": 4, "R": 6, "M": 8, "N": 12, "": 20}
SIZE = sum(GRADES.values())
RUN_NOISE = {"best": 0.3, "good": 0.7, "fair": 1.2, "poor": 2.0, "random": 6.0}
DEPTH, PART = 20, 50


@dataclass(frozen=True, eq=False)
class Bank:
    """Topics of equal size: `level` and `grade` (topics, documents), `order` (runs, topics, DEPTH).

    `order` has the documents that each run retrieves. `limit` and `true` (measures, runs, topics) are the
    scores under the gains of 300 judgments and under the true gains.
    """

    level: FloatArray
    grade: IntArray
    order: IntArray
    limit: FloatArray
    true: FloatArray

    @classmethod
    def drawn(cls, crowd: Crowd, topics: int, rng: np.random.Generator, judgments: int = 300) -> "Bank":
        level, grade, order, limit, true = [], [], [], [], []
        for _ in range(0, topics, PART):
            truth = draw_truth([GRADES] * PART, crowd, rng)
            level.append(truth.level.reshape(PART, SIZE))
            grade.append(truth.grade.reshape(PART, SIZE))
            noise = np.array([*RUN_NOISE.values()])[:, None, None]
            seen = level[-1] + noise * rng.normal(size=(len(RUN_NOISE), PART, SIZE))
            order.append(np.argsort(-seen, axis=-1)[..., :DEPTH])
            runs = runs_of(truth, order[-1])
            study = simulate_study(truth, crowd, rng, judgments_per_document=judgments)
            limit.append(_values(gains(study.judgments, normalise(study.judgments)), runs, truth.topics))
            true.append(_values(truth.gains(), runs, truth.topics))
        return cls(
            np.concatenate(level),
            np.concatenate(grade),
            np.concatenate(order, axis=1),
            np.concatenate(limit, axis=2),
            np.concatenate(true, axis=2),
        )

    def truth_of(self, chosen: IntArray) -> Truth:
        count = len(chosen)
        high, low = (np.argmax(self.grade[chosen] == value, axis=1) for value in (3, 0))
        starts = np.arange(count) * SIZE
        return Truth(
            tuple(f"{place:03}" for place in range(count)),
            tuple(f"{place:03}-{document:02}" for place in range(count) for document in range(SIZE)),
            np.repeat(np.arange(count), SIZE),
            self.grade[chosen].ravel(),
            self.level[chosen].ravel(),
            starts + high,
            starts + low,
        )


def runs_of(truth: Truth, order: IntArray) -> list[Run]:
    table, count = truth.table, len(truth.topics)
    runs = []
    for tag, of_run in zip(RUN_NOISE, order, strict=True):
        rows = table[(np.arange(count)[:, None] * SIZE + of_run).ravel()]
        runs.append(Run.from_columns(tag, *rows, np.tile(np.arange(DEPTH, 0, -1.0), count)))
    return runs


def _values(of: Gains, runs: list[Run], topics: tuple[str, ...]) -> FloatArray:
    """Return the scores (measures, runs, topics), topics in the given order."""
    scores = score(of, runs, list(MEASURES.values()))
    places = [scores.topics.index(topic) for topic in topics]
    return np.moveaxis(scores.values[:, places], -1, 0)


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--crowd", default="typical")
    parser.add_argument("--bank", type=int, default=400)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--topics", type=int, nargs="*", default=TOPICS)
    parser.add_argument("--judgments", type=int, nargs="*", default=JUDGMENTS)
    o = parser.parse_args(arguments)
    crowd = CROWDS[o.crowd]
    begin = time.process_time()
    bank = Bank.drawn(crowd, o.bank, np.random.default_rng(9))
    print(bank.limit.mean(-1).round(3), bank.true.mean(-1).round(3), time.process_time() - begin)
    for j in o.judgments:
        for t in o.topics:
            out = {(m, g): [] for m in MEASURES for g in TARGETS}
            begin = time.process_time()
            for seed in range(o.seeds):
                rng = np.random.default_rng([seed, j, t])
                chosen = rng.integers(o.bank, size=t)
                truth = bank.truth_of(chosen)
                runs = runs_of(truth, bank.order[:, chosen])
                study = simulate_study(truth, crowd, rng, judgments_per_document=j)
                r = system_intervals(
                    study.judgments, runs, list(MEASURES.values()), rng=rng, resamples=o.resamples
                )
                for k, (m, name) in enumerate(MEASURES.items()):
                    for g in TARGETS:
                        target = (
                            bank.limit[k][:, chosen].mean(-1)
                            if g == "these_topics"
                            else bank.limit[k].mean(-1)
                        )
                        tab = r[name].means(g).select("observed", "mean", "low", "high").to_numpy()
                        out[m, g].append(np.column_stack([tab, target]))
            for (m, g), rows in out.items():
                a = np.array(rows)  # seeds, runs, 5
                ob, me, lo, hi, ta = np.moveaxis(a, -1, 0)
                cov = ((lo <= ta) & (ta <= hi)).mean(0)
                covp = ((lo - me + ob <= ta) & (ta <= hi - me + ob)).mean(0)
                print(
                    j,
                    t,
                    m,
                    g,
                    "bias0",
                    (ob - ta).mean(0).round(3),
                    "bias",
                    (me - ta).mean(0).round(3),
                    "half",
                    ((hi - lo) / 2).mean(0).round(3),
                    "2sd",
                    2 * (me - ta).std(0).round(3),
                    "cov0",
                    covp.round(2),
                    "cov",
                    cov.round(3),
                    flush=True,
                )
            print(f"{(time.process_time() - begin) / o.seeds:.3f} s per seed")


if __name__ == "__main__":
    main()

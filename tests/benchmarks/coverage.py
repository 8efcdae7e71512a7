"""Bias, width and coverage of the intervals of mean scores, in simulated studies whose truth is known.

    nice python -m tests.benchmarks.coverage --seeds 200
"""

import argparse
import sys
import time

import numpy as np
import polars as pl

from evaluation.comparison.system_intervals import TARGETS, SystemIntervals, system_intervals
from evaluation.crowds import CROWDS, Crowd, Truth, draw_truth, simulate_study
from evaluation.runs import Run
from evaluation.scores import score

MEASURES = {"nDCG@10": "nDCG@10", "ERR@10": 'ERR(stop="share")@10'}
JUDGMENTS = (10, 5, 3)
TOPICS = (6, 18, 50)
GRADES = {"H": 4, "R": 6, "M": 8, "N": 12, "": 20}
RUN_NOISE = {"best": 0.3, "good": 0.7, "fair": 1.2, "poor": 2.0, "random": 6.0}
DEPTH = 20


def noisy_runs(truth: Truth, rng: np.random.Generator) -> list[Run]:
    """Return runs that rank each topic's documents by their true level with noise."""
    table = truth.table.with_columns(topic=truth.topic)
    runs = []
    for tag, noise in RUN_NOISE.items():
        scored = table.with_columns(score=truth.level + rng.normal(0, noise, len(truth.level)))
        kept = scored.filter(pl.col("score").rank("ordinal", descending=True).over("topic") <= DEPTH)
        runs.append(Run.from_columns(tag, kept["topic_id"], kept["document_id"], kept["score"]))
    return runs


def drawn(topics: int, crowd: Crowd, rng: np.random.Generator) -> tuple[Truth, list[Run], np.ndarray]:
    """Return new topics, their runs, and the scores of the runs under the true gains (measures, runs)."""
    truth = draw_truth([GRADES] * topics, crowd, rng)
    runs = noisy_runs(truth, rng)
    values = score(truth.gains(), runs, list(MEASURES.values())).values
    return truth, runs, np.moveaxis(np.nanmean(values, axis=1), -1, 0)


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--crowd", default="typical")
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--topics", type=int, nargs="*", default=TOPICS)
    parser.add_argument("--judgments", type=int, nargs="*", default=JUDGMENTS)
    o = parser.parse_args(arguments)
    crowd = CROWDS[o.crowd]
    population = np.mean([drawn(500, crowd, np.random.default_rng([9, part]))[2] for part in range(8)], axis=0)
    print(population.round(3))
    for j in o.judgments:
        for t in o.topics:
            out = {(m, g): [] for m in MEASURES for g in TARGETS}
            begin = time.process_time()
            for seed in range(o.seeds):
                rng = np.random.default_rng([seed, j, t])
                truth, runs, own = drawn(t, crowd, rng)
                study = simulate_study(truth, crowd, rng, judgments_per_document=j)
                for k, (m, name) in enumerate(MEASURES.items()):
                    r = system_intervals(study.judgments, runs, name, rng=rng, resamples=o.resamples)
                    for g in TARGETS:
                        target = own[k] if g == "these_topics" else population[k]
                        tab = r.means(g).select("observed", "mean", "low", "high").to_numpy()
                        out[m, g].append(np.column_stack([tab, target]))
            for (m, g), rows in out.items():
                a = np.array(rows)  # seeds, runs, 5
                ob, me, lo, hi, ta = np.moveaxis(a, -1, 0)
                cov = ((lo <= ta) & (ta <= hi)).mean(0)
                covp = ((lo - me + ob <= ta) & (ta <= hi - me + ob)).mean(0)
                print(j, t, m, g, "bias0", (ob - ta).mean(0).round(3), "bias", (me - ta).mean(0).round(3), "half", ((hi - lo) / 2).mean(0).round(3), "sd", (me-ta).std(0).round(3),
                      "cov0", covp.round(2), "cov", cov.round(3), flush=True)
            print(f"{(time.process_time()-begin)/o.seeds:.3f} s per seed")


if __name__ == "__main__":
    main()

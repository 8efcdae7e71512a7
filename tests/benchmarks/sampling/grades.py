"""Measure the errors and the intervals of estimates from a sample, on real grades and the grades of models.

    PLUMBLINE_COLLECTIONS=… python -m tests.benchmarks.sampling grades --draws 80

The true gains are the human grades of `llmjudge`, the passages of TREC DL 2023. Made-up systems rank these
passages: each has a skill, and noise of its own. Each draw judges a share of the pooled documents, chosen by
equal chances or by influence. The estimated differences of all pairs of systems are compared with the true
differences, for each kind of evidence. `filled` is the naive filling of gaps, which has no interval.
"""

import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from evaluation.files import read_gains
from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.sampling import Pool, draw, estimate, influence, pool_of
from evaluation.scores import score

MEASURE: Final = "DCG@10"
DEPTH: Final = 10


def made_up_runs(truth: Gains, number: int, rng: np.random.Generator) -> list[Run]:
    """Return systems that rank by skill · gain + noise, or by the logarithm of magnitudes."""
    is_magnitude = (truth.values > 0).all()
    grades = np.log(truth.values) if is_magnitude else truth.values
    runs = []
    for system, skill in enumerate(rng.uniform(0.2, 0.8, size=number), start=1):
        scores = skill * grades + rng.normal(size=len(grades))
        columns = truth.table["topic_id"], truth.table["document_id"], pl.Series(scores)
        runs.append(Run.from_columns(f"s{system}", *columns))
    return runs


def magnitudes(grades: Gains, sigma: float) -> Gains:
    """Return gains with long tails: exp of the grade, times a log-normal factor for each document."""
    levels = grades.values + sigma * np.random.default_rng(2).normal(size=len(grades.values))
    return Gains.from_columns(grades.table["topic_id"], grades.table["document_id"], np.exp(levels))


def results(
    truth: Gains, predictions: list[Gains], *, systems: int, share: float, draws: int
) -> Iterator[dict[str, object]]:
    """Yield a row for each draw, way of choosing, kind of evidence and pair of systems."""
    runs = made_up_runs(truth, systems, np.random.default_rng(1))
    pool = pool_of(runs, DEPTH)
    means = {row.run: row.value for row in score(truth, runs, MEASURE, empty="zero").means()}
    for seed in range(draws):
        for chosen, size in sizes(pool).items():
            budget = round(share * len(pool.table))
            sample = draw(pool, size, budget, rng=np.random.default_rng(seed))
            scores = estimate(truth, runs, MEASURE, sample, predictions=predictions)[MEASURE]
            for first, second in combinations(pool.runs, 2):
                true = means[first] - means[second]
                for row in scores.difference(first, second, "these_topics").iter_rows(named=True):
                    covered = row["low"] <= true <= row["high"] if row["valid"] else None
                    yield {
                        "pair": f"{first} {second}",
                        "chosen": chosen,
                        "evidence": row["evidence"],
                        "documents": len(pool.table),
                        "error": row["mean"] - true,
                        "covered": covered,
                    }


def sizes(pool: Pool) -> dict[str, np.ndarray]:
    """Return the sizes of documents to which chances are proportional, by how documents are chosen."""
    return {"equal chance": np.ones(len(pool.table)), "influence": influence(pool, MEASURE)}


def llmjudge() -> tuple[Gains, list[Gains]]:
    """Return the human grades and those of the models. The folder is in `PLUMBLINE_COLLECTIONS`."""
    folder = Path(os.environ["PLUMBLINE_COLLECTIONS"]) / "llmjudge"
    models = [read_gains(path, "zero") for path in sorted(folder.glob("model-*.qrels"))]
    return read_gains(folder / "human.qrels"), models


def table(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the errors and the coverage for each way of choosing documents and kind of evidence."""
    kinds = ["chosen", "evidence"]
    of_pairs = rows.group_by(*kinds, "pair", maintain_order=True).agg(pl.col("covered").mean())
    lowest = of_pairs.group_by(kinds).agg(lowest=pl.col("covered").min())
    table = rows.group_by(kinds, maintain_order=True).agg(
        pl.col("documents").first(),
        (pl.col("error") ** 2).mean().sqrt(),
        pl.col("covered").mean(),
    )
    table = table.join(lowest, on=kinds, maintain_order="left")
    base = table.row(by_predicate=(pl.col("chosen") == "equal chance") & (pl.col("evidence") == "people"))
    return table.with_columns(relative=pl.col("error") / base[3])

"""Compare normalisations and statistics with the truth, on simulated crowds and on the data of RankME.

    python -m tests.benchmarks.normalisations [--seeds 5] [--topics 5] [--rankme ../shared/data/rankme]

The command combines every normalisation of magnitudes with every statistic, and prints tables in Markdown.
The first tables show how far the gains are from the true gains of simulated studies. The studies have 3, 5 or
10 judgments for each document, and no spammers or 20 %. Besides the crowds of `evaluation.crowds`, there are
crowds that the model does not describe: heavy tails, strong rounding, and a mixture of scales. The last
tables show how often pairs of RankME's texts are in the order of its Likert ratings.
"""

import argparse
import csv
import dataclasses
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison.correlation import tau_b
from evaluation.crowds import CROWDS, TYPICAL, Crowd, Truth, draw_truth, simulate_study
from evaluation.errors import InputError
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import (
    METHODS,
    STATISTICS,
    WITH_ANCHORS,
    gains,
    normalise,
    overall_agreement,
    pairwise_agreement,
)
from evaluation.magnitudes.document_gains import KEYS
from evaluation.magnitudes.normalisation import Method
from evaluation.runs import Run
from evaluation.scores import score

NUMBERS: Final = (3, 5, 10)
SPAMMERS: Final = (0.0, 0.2)
RUNS: Final = 15
POOL: Final = {"H": 3, "R": 6, "M": 8, "N": 25}
MEASURES: Final = {
    "rmse": "RMSE of log gains, after the best shift for each topic",
    "tau": "τ_b of the gains of a topic's documents with the true gains",
    "ndcg": "mean absolute error of a run's nDCG@10 in a topic, in thousandths",
}
SAME_FIT: Final = ("none", "n")
"""Methods that multiply each unit by a factor. The statistic `model` then gives the gains of `geometric`."""
Change = Callable[[FloatArray, Judgments, np.random.Generator], FloatArray]


# --- crowds ------------------------------------------------------------------------------------------------


def unchanged(logs: FloatArray, judgments: Judgments, rng: np.random.Generator) -> FloatArray:
    """Return the logs of the magnitudes as the crowd gave them."""
    return logs


def heavy_tails(logs: FloatArray, judgments: Judgments, rng: np.random.Generator) -> FloatArray:
    """Add noise with two degrees of freedom: a few numbers are wrong by a factor of 10 or more."""
    return logs + 0.4 * rng.standard_t(2, size=len(logs))


def rounded(logs: FloatArray, judgments: Judgments, rng: np.random.Generator) -> FloatArray:
    """Round to 1, 3, 10, 30, 100 …: two numbers in each power of ten."""
    step = np.log(10) / 2
    return np.round(logs / step) * step


def mixed_scales(logs: FloatArray, judgments: Judgments, rng: np.random.Generator) -> FloatArray:
    """Let a third of the workers use equal steps from 1 to 10, and a third a scale that ends at 100.

    The other workers keep their numbers. In the first third, a number is linear in the level instead of
    exponential. In the second third, the largest third of a worker's numbers becomes 100.
    """
    worker = judgments.table["worker_id"].rank("dense").to_numpy() - 1
    kind = rng.integers(3, size=worker.max() + 1)[worker]
    table = pl.DataFrame({"worker": worker, "log": logs}).select(
        low=pl.col("log").min().over("worker"),
        high=pl.col("log").max().over("worker"),
        ceiling=pl.col("log").quantile(2 / 3).over("worker"),
    )
    low, high, ceiling = (table[name].to_numpy() for name in table.columns)
    steps = np.log(np.round(1 + 9 * (logs - low) / np.maximum(high - low, 1e-9)))
    ended = np.minimum(logs - ceiling, 0) + np.log(100)
    return np.select([kind == 0, kind == 1], [steps, ended], logs)


@dataclasses.dataclass(frozen=True)
class Setting:
    """A crowd, and the function that changes its numbers afterwards."""

    name: str
    crowd: Crowd
    change: Change = unchanged


SETTINGS: Final = (
    *(Setting(name, crowd) for name, crowd in CROWDS.items()),
    Setting("heavy tails", TYPICAL, heavy_tails),
    Setting("rounding", TYPICAL, rounded),
    Setting("mixed scales", TYPICAL, mixed_scales),
)


def study(
    setting: Setting, spammers: float, number: int, topics: int, seed: int
) -> tuple[Truth, Judgments, list[Run]]:
    """Return the truth, the judgments, and runs of a simulated study. The same seed gives the same study."""
    rng = np.random.default_rng([seed, number])
    crowd = dataclasses.replace(setting.crowd, spammers=spammers)
    truth = draw_truth([POOL] * topics, crowd, rng)
    judgments = simulate_study(truth, crowd, rng, judgments_per_document=number).judgments
    logs = setting.change(np.log(judgments.magnitudes), judgments, rng)
    changed = judgments.replaced(table=judgments.table.with_columns(relevance_score=np.exp(logs)))
    columns = truth.table["topic_id"], truth.table["document_id"]
    runs = [
        Run.from_columns(
            f"r{place}", *columns, truth.level + rng.normal(0, 0.3 + place / 8, len(truth.level))
        )
        for place in range(RUNS)
    ]
    return truth, changed, runs


# --- errors ------------------------------------------------------------------------------------------------


def errors(result: Gains, truth: Truth, scores: FloatArray, runs: list[Run]) -> dict[str, float]:
    """Return the values of `MEASURES`. `scores` has the runs' nDCG@10 by the true gains."""
    true = truth.gains().table.rename({"gain": "true"})
    pairs = result.table.join(true, on=KEYS).with_columns(away=pl.col("gain").log() - pl.col("true").log())
    rest = pairs.select(pl.col("away") - pl.col("away").mean().over("topic_id"))["away"].to_numpy()
    taus = [
        tau_b(topic["gain"].to_numpy(), topic["true"].to_numpy()) or 0.0
        for _, topic in pairs.group_by("topic_id")
    ]
    return {
        "rmse": float(np.sqrt(np.mean(rest**2))),
        "tau": float(np.mean(taus)),
        "ndcg": 1000 * float(np.mean(np.abs(ndcg(result, runs) - scores))),
    }


def ndcg(qrels: Gains, runs: list[Run]) -> FloatArray:
    """Return the nDCG@10 of each run in each topic, in the order of `Scores.rows`."""
    return np.array([row.value for row in score(qrels, runs, "nDCG@10").rows], dtype=np.float64)


def gains_by_every(judgments: Judgments, methods: Iterable[Method]) -> Iterator[tuple[Method, str, Gains]]:
    """Yield the gains of every combination of method and statistic.

    Leave out methods that refuse the judgments, and the statistic `model` with the methods in `SAME_FIT`.
    """
    for method in methods:
        try:
            normalised = normalise(judgments, method)
        except InputError:
            continue
        for statistic in STATISTICS:
            if statistic == "model" and method in SAME_FIT:
                continue
            yield method, statistic, gains(judgments, normalised, statistic)


def compare(
    *,
    seeds: Iterable[int],
    topics: int,
    settings: Iterable[Setting] = SETTINGS,
    spammers: Iterable[float] = SPAMMERS,
    numbers: Iterable[int] = NUMBERS,
) -> pl.DataFrame:
    """Return a row for each crowd, share of spammers, number of judgments, seed, method and statistic."""
    rows = []
    for seed, setting, share, number in itertools.product(seeds, settings, spammers, numbers):
        truth, judgments, runs = study(setting, share, number, topics, seed)
        scores = ndcg(truth.gains(), runs)
        rows += [
            {
                "crowd": setting.name,
                "spammers": share,
                "judgments": number,
                "seed": seed,
                "method": method,
                "statistic": statistic,
                **errors(result, truth, scores, runs),
            }
            for method, statistic, result in gains_by_every(judgments, METHODS)
        ]
    return pl.DataFrame(rows)


# --- RankME ------------------------------------------------------------------------------------------------


def rankme(folder: Path, name: str, quality: str) -> Judgments:
    """Return a file of RankME as judgments of one topic. All judgments of a worker are one unit."""
    with (folder / f"stp2_{name}_{quality[:3]}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    workers, texts = [row["worker"] for row in rows], [f"{row['mr']} {row['team']}" for row in rows]
    numbers = [float(row[quality]) for row in rows]
    return Judgments.from_columns(["all"] * len(rows), workers, texts, numbers, workers)


def rankme_agreement(folder: Path, quality: str, resamples: int = 1000) -> pl.DataFrame:
    """Return how many pairs of texts are in the order of their Likert ratings, by method and statistic.

    `agreement` is the share of pairs whose gains are in the order of the median ratings. Pairs with equal
    median ratings are left out, and a tie of the gains counts as half. `difference` is the agreement minus
    that of `geometric` with `median`. `error` is its standard error over resamples of the texts.
    """
    ratings = rankme(folder, "likert", quality)
    reference = gains(ratings, ratings.magnitudes)
    is_above = np.greater.outer(reference.values, reference.values)
    rng = np.random.default_rng(1)
    weights = rng.multinomial(len(is_above), np.full(len(is_above), 1 / len(is_above)), resamples)
    pairs = np.einsum("rt,tu,ru->r", weights, is_above, weights, optimize=True)
    agreements: dict[tuple[Method, str], float] = {}
    drawn: dict[tuple[Method, str], FloatArray] = {}
    for method, statistic, result in gains_by_every(
        rankme(folder, "plainME", quality), [method for method in METHODS if method not in WITH_ANCHORS]
    ):
        overall = overall_agreement(pairwise_agreement(result, reference)).filter(mean="pooled")
        agreements[method, statistic] = overall["half"].item()
        order = (np.sign(np.subtract.outer(result.values, result.values)) + 1) / 2
        agreeing = np.einsum("rt,tu,ru->r", weights, is_above * order, weights, optimize=True)
        drawn[method, statistic] = agreeing / pairs
    default = next(iter(agreements))
    return pl.DataFrame(
        {
            "method": method,
            "statistic": statistic,
            "agreement": agreement,
            "difference": agreement - agreements[default],
            "error": float(np.std(drawn[method, statistic] - drawn[default], ddof=1)),
        }
        for (method, statistic), agreement in agreements.items()
    )


# --- tables ------------------------------------------------------------------------------------------------


def show(table: pl.DataFrame) -> None:
    """Print a table in Markdown."""
    print("| " + " | ".join(table.columns) + " |")
    print("|" + "|".join("---:" if kind.is_numeric() else "---" for kind in table.dtypes) + "|")
    for row in table.rows():
        print("| " + " | ".join(_cell(value) for value in row) + " |")


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 2 else f"{value:.1f}"
    return str(value)


def crossed(table: pl.DataFrame, measure: str, across: str) -> pl.DataFrame:
    """Return a table of the means of a measure, with a row for each method and statistic.

    The columns are the values of the column `across`, each with every share of spammers. A cell is empty if
    the method refused one of the studies.
    """
    share = (pl.col("spammers") * 100).round().cast(pl.Int64)
    named = table.with_columns(at=pl.format("{}, {} %", pl.col(across), share))
    cells = named.group_by("at", "method", "statistic", maintain_order=True).agg(
        pl.col(measure).mean(), studies=pl.len()
    )
    is_complete = pl.col("studies") == pl.col("studies").max().over("at")
    cells = cells.with_columns(pl.when(is_complete).then(measure))
    return cells.pivot("at", index=["method", "statistic"], values=measure)


def show_simulated(table: pl.DataFrame) -> None:
    """Print the tables of the simulated crowds."""
    in_model = pl.col("crowd").is_in(list(CROWDS))
    for name, part in (
        ("Crowds of `evaluation.crowds`", table.filter(in_model)),
        ("Crowds that the model does not describe", table.filter(~in_model)),
    ):
        for measure, meaning in MEASURES.items():
            print(f"\n### {name}: {meaning}\n\nMeans over these crowds, by judgments and spammers.\n")
            show(crossed(part, measure, "judgments"))
    for measure, meaning in MEASURES.items():
        print(f"\n### Each crowd, 5 judgments: {meaning}\n")
        show(crossed(table.filter(judgments=5), measure, "crowd"))
    show_differences(table)


def show_differences(table: pl.DataFrame) -> None:
    """Print how much each method and statistic differs from the default on the same studies."""
    keys = ["crowd", "spammers", "judgments", "seed"]
    default = table.filter(method="geometric", statistic="median").select(*keys, *MEASURES)
    pairs = table.join(default, on=keys, suffix="_default")
    print("\n### Differences from `geometric` and `median` on the same studies\n")
    print(
        "Mean over all crowds and numbers of judgments, standard error, and the share of studies in which the"
    )
    print("choice is closer to the truth.\n")
    rows = []
    for (method, statistic), part in pairs.group_by("method", "statistic", maintain_order=True):
        row = {"method": method, "statistic": statistic}
        for measure in MEASURES:
            away = (part[measure] - part[f"{measure}_default"]).to_numpy()
            better = away > 0 if measure == "tau" else away < 0
            row[measure] = f"{away.mean():+.3f} ± {away.std(ddof=1) / np.sqrt(len(away)):.3f}"
            row[f"{measure} better"] = f"{100 * better.mean():.0f} %"
        rows.append(row)
    show(pl.DataFrame(rows))


def show_time(topics: int = 10) -> None:
    """Print how long the model takes for about 60,000 judgments."""
    rng = np.random.default_rng(1)
    truth = draw_truth([{"H": 10, "R": 40, "M": 100, "N": 300}] * topics, TYPICAL, rng)
    judgments = simulate_study(truth, TYPICAL, rng).judgments
    for method in ("geometric", "model"):
        start = time.perf_counter()
        normalise(judgments, method)
        print(f"\n{method}: {len(judgments.table):,} judgments in {time.perf_counter() - start:.2f} s")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="studies for each cell (default: 5)")
    parser.add_argument("--topics", type=int, default=5, help="topics of a study (default: 5)")
    collections = os.environ.get("PLUMBLINE_COLLECTIONS")
    parser.add_argument("--rankme", type=Path, default=Path(collections, "rankme") if collections else None)
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    table = compare(seeds=range(options.seeds), topics=options.topics)
    sys.stderr.write(f"{table.height:,} rows in {time.perf_counter() - start:.0f} s\n")
    show_simulated(table)
    if options.rankme:
        for quality in ("informativeness", "naturalness"):
            print(f"\n### RankME, {quality}: agreement with the Likert ratings\n")
            show(rankme_agreement(options.rankme, quality))
    show_time()


if __name__ == "__main__":
    main()

"""Compare adaptive studies with fixed ones on simulated crowds, whose true gains are known.

    python -m tests.benchmarks.adapting --seeds 200 -o results.csv

Each seed draws the true gains of 18 topics of 62 documents, and 30 systems. A third of the systems have a
neighbour that is almost as good. The seed also draws two complete studies, with 10 judgments for each
document. The first is the reference, and shares no judgment with any other study. The τ between these two
studies is the most that an adaptive study can be expected to reach.

The adaptive study starts with 3 judgments for each document. Then it gets batches that cost 10 % of a
complete study. It is measured at half the cost of a complete study, and when the rule stops it. Each time, it
is compared with a fixed study that has the same number of units.

With `--chances`, the studies of `adapting_chances` are compared instead: they show what batches with known
chances would cost, and how often the intervals of adaptive studies hold.

The test suite uses the function `short`.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl

from evaluation.allocation import Decision, Settings, decide
from evaluation.allocation.influence import Pairs, effects
from evaluation.allocation.uncertainty import estimate
from evaluation.arrays import FloatArray, IntArray
from evaluation.comparison import tau_b, top_set
from evaluation.comparison.topset import overlap
from evaluation.crowds import CROWDS, Crowd, Truth, draw_truth, simulate_study
from evaluation.crowds.simulated import plan_units
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, intervals, normalise
from evaluation.magnitudes.normalisation import Method
from evaluation.measures import parse
from evaluation.ranking import rank
from evaluation.runs import Run

TOPICS, COMPLETE, PILOT = 18, 10, 3
DOCUMENTS = {"N": 32, "M": 6, "R": 5, "H": 3, "": 16}
SYSTEMS = 30
MEASURE = parse("nDCG@10")
NOMINAL = 0.95


def systems(truth: Truth, rng: np.random.Generator, number: int = SYSTEMS) -> list[Run]:
    """Return rankings by the true level plus noise. Every third system has an almost equal neighbour."""
    noise = np.sort(rng.uniform(0.5, 1.5, number))
    noise[1::3] = noise[0::3][: len(noise[1::3])] + 0.02
    table = truth.table
    return [
        Run.from_columns(
            f"system-{place:02}",
            table["topic_id"],
            table["document_id"],
            truth.level + rng.normal(size=len(truth.level)) * sigma,
        )
        for place, sigma in enumerate(noise)
    ]


def adaptive(
    truth: Truth, crowd: Crowd, runs: list[Run], settings: Settings, seed: int, rng: np.random.Generator
) -> Iterator[tuple[Judgments, Decision]]:
    """Yield each decision with the judgments before it, until the rule stops the study."""
    places = {row: place for place, row in enumerate(truth.table.iter_rows())}
    judgments = simulate_study(truth, crowd, rng, judgments_per_document=PILOT).judgments
    for batch in count(1):
        decision = decide(judgments, runs, settings, seed=seed, batch=batch)
        yield judgments, decision
        if decision.stops:
            return
        plan = np.array([[places[topic, name] for name in names] for topic, names in decision.units])
        further = simulate_study(truth, crowd, rng, plan=plan).judgments.table.with_columns(
            pl.concat_str(pl.lit(f"{batch}-"), name).alias(name) for name in ("unit_id", "worker_id")
        )
        judgments = Judgments.from_checked(pl.concat([judgments.table, further]))


def fixed(truth: Truth, crowd: Crowd, units: int, rng: np.random.Generator) -> Judgments:
    """Return a study of this many units, whose judgments are spread evenly over the documents."""
    plan = plan_units(truth, COMPLETE + 4, 6, rng)
    in_topic = np.arange(len(plan)) % (len(plan) // len(truth.topics))
    order = np.lexsort((rng.random(len(plan)), in_topic))
    return simulate_study(truth, crowd, rng, plan=plan[order[:units]]).judgments


def measured(
    judgments: Judgments, truth: Truth, runs: list[Run], method: Method, reference: FloatArray
) -> dict[str, float]:
    """Return how close the study is to the truth, and how well it agrees with the reference."""
    normalized = normalise(judgments, method)
    found = gains(judgments, normalized)
    lists = rank(found, runs).lists
    values, true = MEASURE.values(lists), MEASURE.values(rank(truth.gains(), runs).lists)
    tops = [[system.run for system in top_set(lists.runs, each)] for each in (values, true)]
    error = estimate(judgments, normalized).error()
    pairs = Pairs.of(values.mean(axis=1), effects(MEASURE, lists, error))
    true_pairs = true.mean(axis=1)[:, None] - true.mean(axis=1)
    above = np.triu_indices(len(runs), 1)
    covered = np.abs(pairs.difference - true_pairs)[above] <= 1.96 * pairs.error[above]
    bounds = intervals(judgments, normalized, np.random.default_rng(0), level=NOMINAL, resamples=200)
    level = truth.gains().table.sort("topic_id", "document_id")["gain"].log().to_numpy()
    deviation = np.log(found.values) - level
    # The scale of a topic is arbitrary, so the gains of each topic are moved to the mean of its true levels.
    shift = (np.bincount(lists.topic, deviation) / np.bincount(lists.topic))[lists.topic]
    is_top = found.values >= _quantile_of_topic(found.values, lists.topic, 0.8)
    often = bounds["judgments"].to_numpy() > np.median(bounds["judgments"])
    inside = (np.log(bounds["low"].to_numpy()) - shift <= level) & (
        level <= np.log(bounds["high"].to_numpy()) - shift
    )
    anchors = judgments.table.filter(pl.col("gold") != "").select("topic_id", "document_id").unique()
    is_other = (
        ~pl.struct(found.table.select("topic_id", "document_id"), eager=True)
        .is_in(pl.struct(anchors, eager=True).implode())
        .to_numpy()
    )
    error_of = deviation - shift
    return {
        "judgments": float(len(judgments.table)),
        "tau true": tau_b(values.mean(axis=1), true.mean(axis=1)) or 0.0,
        "tau reference": tau_b(values.mean(axis=1), reference) or 0.0,
        "overlap": overlap(*tops),
        "bias top fifth": float(error_of[is_top & is_other].mean()),
        "bias judged often": float(error_of[often & is_other].mean()) if (often & is_other).any() else np.nan,
        "bias judged seldom": float(error_of[~often & is_other].mean()),
        "covered gains": float(inside[is_other].mean()),
        "covered differences": float(covered.mean()),
    }


def _quantile_of_topic(values: FloatArray, topic: IntArray, share: float) -> FloatArray:
    return np.array([np.quantile(values[topic == number], share) for number in range(topic.max() + 1)])[topic]


def study(crowd: Crowd, seed: int, settings: Settings | None = None) -> Iterator[dict[str, object]]:
    """Yield a row for each design, with its cost and its results."""
    rng = np.random.default_rng(seed)
    truth = draw_truth([DOCUMENTS] * TOPICS, crowd, rng)
    runs = systems(truth, rng)
    first, second = (simulate_study(truth, crowd, rng).judgments for _ in range(2))
    reference = MEASURE.values(rank(gains(first), runs).lists).mean(axis=1)
    full = first.table["unit_id"].n_unique()

    def row(design: str, judgments: Judgments, method: Method) -> dict[str, object]:
        values = measured(judgments, truth, runs, method, reference)
        cost = judgments.table["unit_id"].n_unique() / full
        return {"crowd": crowd.name, "seed": seed, "design": design, "cost": cost, **values}

    yield row("complete", second, "geometric")
    yield row("complete, additive", second, "additive")
    settings = replace(settings or Settings(), units=full // 10)
    start = perf_counter()
    decisions, half, stopped = 0, None, None
    # The rule stops some studies before half the cost. They continue, so that they can be measured there.
    for judgments, decision in adaptive(
        truth, crowd, runs, replace(settings, level=0.999, top_level=0.999), seed, rng
    ):
        decisions += 1
        units = judgments.table["unit_id"].n_unique()
        is_settled = decision.evidence.is_settled(settings.level, settings.top_level)
        if stopped is None and (is_settled or units >= full):
            stopped = judgments, decision, is_settled
        if half is None and units >= full // 2:
            half = judgments
        if stopped is not None and half is not None:
            break
    seconds = (perf_counter() - start) / decisions
    assert half is not None
    assert stopped is not None
    ends = (("half", half, None), ("stop", stopped[0], stopped[1]))
    for name, judgments, last in ends:
        units = judgments.table["unit_id"].n_unique()
        same_cost = fixed(truth, crowd, units, rng)
        expected = (
            {"expected tau": last.evidence.tau, "expected overlap": last.evidence.overlap} if last else {}
        )
        yield {
            **row(f"adaptive, {name}", judgments, settings.normalisation),
            **expected,
            "settled": float(stopped[2]),
            "seconds": seconds,
        }
        yield row(f"fixed, {name}", same_cost, "geometric")
        yield row(f"fixed, {name}, additive", same_cost, "additive")


def short(seeds: int = 2) -> pl.DataFrame:
    """Return, for each seed, τ with the true ranking at half the cost of a complete study.

    The columns are `adaptive` and `fixed`. The typical crowd judges.
    """
    rows = []
    for seed in range(seeds):
        rng, crowd = np.random.default_rng(seed), CROWDS["typical"]
        truth = draw_truth([DOCUMENTS] * TOPICS, crowd, rng)
        runs = systems(truth, rng)
        true = MEASURE.values(rank(truth.gains(), runs).lists).mean(axis=1)
        # 18 topics × 60 documents × 10 judgments / 6 documents in a unit
        settings = Settings(units=180, level=0.999, top_level=0.999, draws=20, top_draws=1)
        taus = {}
        for judgments, _ in adaptive(truth, crowd, runs, settings, seed, rng):
            if (units := judgments.table["unit_id"].n_unique()) >= 900:
                break
        designs = {"adaptive": (judgments, "additive"), "fixed": (fixed(truth, crowd, units, rng), None)}
        for name, (judged, method) in designs.items():
            values = MEASURE.values(rank(gains(judged, normalise(judged, method)), runs).lists)
            taus[name] = tau_b(values.mean(axis=1), true)
        rows.append(taus)
    return pl.DataFrame(rows)


def main() -> None:
    """Run all studies, and print tables of the means in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--chances", action="store_true", help="measure what known chances would cost")
    parser.add_argument("-o", "--output", type=Path, help="write a row for each study to this CSV file")
    parser.add_argument("--tables", type=Path, help="only print the tables of an earlier CSV file")
    arguments = parser.parse_args()
    # The other module uses the studies of this one.
    from tests.benchmarks import adapting_chances

    of_seed, tables = (
        (adapting_chances.rows, adapting_chances.TABLES) if arguments.chances else (study, TABLES)
    )
    if arguments.tables:
        print_tables(pl.read_csv(arguments.tables), tables)
        return
    rows: list[dict[str, object]] = []
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        for crowd in CROWDS.values():
            rows += of_seed(crowd, seed)
        table = pl.DataFrame(rows, infer_schema_length=None)
        if arguments.output:
            table.write_csv(arguments.output)
    print_tables(table, tables)


TABLES = (
    ("cost", "judgments", "tau true", "tau reference", "overlap"),
    ("bias top fifth", "bias judged often", "bias judged seldom", "covered gains", "covered differences"),
    ("expected tau", "tau true", "expected overlap", "overlap", "settled", "seconds"),
)
"""The columns of each table. The last table has only the rows with an expected τ."""


def print_tables(table: pl.DataFrame, tables: Iterable[tuple[str, ...]]) -> None:
    """Print the mean of each column for each crowd and design. Each τ has its standard error."""
    for columns in tables:
        rows = table.drop_nulls("expected tau") if "expected tau" in columns else table
        print(f"| crowd | design | studies | {' | '.join(columns)} |\n|---|---|---:{'|---:' * len(columns)}|")
        for (crowd, design), part in rows.group_by("crowd", "design", maintain_order=True):
            cells = (_cell(name, part[name].drop_nulls().drop_nans().to_numpy()) for name in columns)
            print(f"| {crowd} | {design} | {len(part)} | {' | '.join(cells)} |")
        print()


def _cell(name: str, values: FloatArray) -> str:
    if not len(values):
        return ""
    if name == "judgments":
        return f"{values.mean():,.0f}"
    error = f" ± {values.std() / np.sqrt(len(values)):.3f}" if name.startswith("tau") else ""
    return f"{values.mean():.3f}{error}"


if __name__ == "__main__":
    main()

"""Measure how well plans of budgets predict simulated studies, for each way to spend a budget.

    python -m tests.benchmarks.budgets --studies 60

Each study has its own systems. The planner gets a pilot with few topics. Then a planned study with other
topics is simulated for each way: a fixed study, an adaptive one that follows the real rule, and samples that
are drawn and estimated by `evaluation.sampling`, with and without predictions. A reference study with very
many judgments of all documents says what the true differences are. Each half-width is compared with 1.96
times the root mean square error of the differences in the simulated study.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from evaluation.allocation import Settings, decide
from evaluation.arrays import FloatArray, IntArray
from evaluation.comparison.correlation import tau_b
from evaluation.crowds import CROWDS, Crowd, Truth, draw_truth, simulate_study
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.magnitudes.normalisation import Method
from evaluation.measures import parse
from evaluation.pairs import PAIR
from evaluation.planning import estimate_pilot, plan_budgets
from evaluation.planning.spending import START
from evaluation.ranking import rank
from evaluation.runs import Run
from evaluation.sampling import draw, estimate, influence, pool_of
from evaluation.sampling.calibration import calibrated
from tests.benchmarks.planning import DOCUMENTS, Systems

MEASURE: Final = parse("DCG@10")
TOPICS: Final = 18
PLACES: Final = 6
NOISE: Final = 1.2
"""The standard deviation of the noise of predictions, in ln gain."""


NUMBERS: Final = ("planned", "real", "median", "error", "planned_tau", "real_tau")


class Cell(NamedTuple):
    way: str
    share: float
    judgments: int


FULL: Final = (
    *(Cell("fixed", 1.0, number) for number in (3, 5, 10)),
    *(Cell("adaptive", 1.0, number) for number in (5, 10)),
    *(
        Cell(way, share, number)
        for way in ("sampled", "predicted")
        for share in (0.1, 0.3, 0.5)
        for number in (3, 5, 10)
    ),
)
SHORT: Final = (Cell("fixed", 1.0, 5), Cell("sampled", 0.4, 10), Cell("predicted", 0.4, 5))


def compared(
    crowd: Crowd,
    seeds: Iterable[int],
    *,
    pilot: tuple[int, int] = (6, 5),
    cells: Sequence[Cell] = FULL,
    systems: int = 20,
    reference: int = 100,
) -> list[dict[str, float | str]]:
    """Return a row for each cell, with the planned and the real half-width and τ, over all seeds.

    `pilot` has the topics and judgments of the pilot, and `reference` the judgments of the reference study.
    The half-widths are roots of the mean squares over the seeds. `median` is the median of the real ones: in
    a few studies, a single huge magnitude decides about all differences. `error` is the root mean square of
    ln(planned/real) over the plans, where the real half-width is that of all seeds.
    """
    planned, real = defaultdict(list), defaultdict(list)
    for seed in seeds:
        rng = np.random.default_rng([29, seed])
        group = Systems.drawn(systems, rng)
        _plan(crowd, group, pilot, cells, planned, rng)
        for cell, error, tau in _simulated(crowd, group, cells, reference, rng):
            real[cell].append((error, tau))
    rows: list[dict[str, float | str]] = []
    for cell in cells:
        widths, taus = np.array(planned[cell]).T
        errors, real_taus = np.array(real[cell]).T
        width = 1.96 * float(np.sqrt(errors.mean()))
        rows.append(
            {
                **cell._asdict(),
                "planned": float(np.sqrt((widths**2).mean())),
                "real": width,
                "median": 1.96 * float(np.sqrt(np.median(errors))),
                "error": float(np.sqrt((np.log(widths / width) ** 2).mean())),
                "planned_tau": float(taus.mean()),
                "real_tau": float(real_taus.mean()),
            }
        )
    return rows


def _plan(
    crowd: Crowd,
    systems: Systems,
    pilot: tuple[int, int],
    cells: Sequence[Cell],
    planned: dict[Cell, list[tuple[float, float]]],
    rng: np.random.Generator,
) -> float:
    """Add the planned half-width and τ of each cell, and return what predictions explain in the pilot."""
    topics, judgments = pilot
    truth = draw_truth([DOCUMENTS] * topics, crowd, rng)
    runs = systems.runs(truth, rng)
    study = simulate_study(truth, crowd, rng, judgments_per_document=judgments).judgments
    explained = _explained(truth, predictions(truth, rng))
    parts = estimate_pilot(study, runs, rng=rng, measure=MEASURE)
    budgets = plan_budgets(
        parts,
        rng=rng,
        topics=[TOPICS],
        shares=sorted({cell.share for cell in cells}),
        judgments=sorted({cell.judgments for cell in cells}),
        explained=[explained],
    )
    for cell in cells:
        budget = budgets.at(
            cell.way, TOPICS, cell.share, cell.judgments, explained if cell.way == "predicted" else None
        )
        planned[cell].append((budget.half_width, budget.tau))
    return explained


def predictions(truth: Truth, rng: np.random.Generator) -> FloatArray:
    """Return a prediction of every gain: the true gain with log-normal noise."""
    return np.exp(truth.level + rng.normal(scale=NOISE, size=len(truth.level)))


def _explained(truth: Truth, predicted: FloatArray) -> float:
    """Return the share of the variance of the true gains in a topic that calibrated predictions explain."""
    worth, everything = np.exp(truth.level), np.ones(len(truth.level))
    parts = worth, everything, everything.astype(bool), truth.topic
    with_them = worth - calibrated(*parts, predicted[:, None], is_fixed=True)
    without = worth - calibrated(*parts, np.zeros((len(worth), 0)), is_fixed=True)
    return float(np.clip(1 - (with_them**2).sum() / (without**2).sum(), 0, 1))


def _simulated(
    crowd: Crowd, systems: Systems, cells: Sequence[Cell], reference: int, rng: np.random.Generator
) -> Iterator[tuple[Cell, float, float]]:
    """Yield, for each cell, the mean squared error of relative differences, and τ with the true ranking."""
    truth = draw_truth([DOCUMENTS] * TOPICS, crowd, rng)
    runs = systems.runs(truth, rng)
    predicted = predictions(truth, rng)
    many = simulate_study(truth, crowd, rng, judgments_per_document=reference).judgments
    methods: tuple[Method, ...] = ("geometric", "additive")
    true = {method: _means(gains(many, normalise(many, method)), runs) for method in methods}
    adaptive = [cell for cell in cells if cell.way == "adaptive"]
    # Adaptive studies are normalised by another method, whose gains tend to other values.
    for cell, study in zip(adaptive, _adaptive(truth, crowd, runs, adaptive, rng), strict=True):
        yield cell, *_errors(_means(gains(study, normalise(study, "additive")), runs), true["additive"])
    for cell in cells:
        if cell.way == "fixed":
            study = simulate_study(truth, crowd, rng, judgments_per_document=cell.judgments).judgments
            means = _means(gains(study, normalise(study)), runs)
        elif cell.way == "adaptive":
            continue
        else:
            means = _sampled(truth, crowd, runs, cell, predicted, rng)
        yield cell, *_errors(means, true["geometric"])


def _means(by: Gains, runs: list[Run]) -> FloatArray:
    return np.asarray(MEASURE.values(rank(by, runs).lists).mean(axis=1))


def _errors(means: FloatArray, true: FloatArray) -> tuple[float, float]:
    first, second = np.triu_indices(len(means), 1)
    off = means / means.mean() - true / true.mean()
    return float(((off[first] - off[second]) ** 2).mean()), tau_b(means, true) or 0.0


def _sampled(
    truth: Truth,
    crowd: Crowd,
    runs: list[Run],
    cell: Cell,
    predicted: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the runs' means as estimated from a sample, in the order of the runs."""
    pool = pool_of(runs, 10)
    anchors = np.concatenate([truth.high, truth.low])
    always = pool.table.join(truth.table[anchors], on=PAIR, how="semi")
    others = len(pool.table) - len(always)
    # The budget is a share of all documents of the topics, of which the pool has only a part.
    budget = min(round(cell.share * (len(truth.topic) - len(anchors))), others)
    sample = draw(pool, influence(pool, str(MEASURE)), len(always) + budget, rng=rng, always=always)
    places = truth.table.with_row_index("place").join(sample.sampled, on=PAIR, how="semi")["place"].to_numpy()
    plan = sampled_units(truth, np.setdiff1d(places, anchors), cell.judgments, rng)
    study = simulate_study(truth, crowd, rng, plan=plan).judgments
    given = []
    if cell.way == "predicted":
        given.append(Gains.from_checked(truth.table.with_columns(gain=predicted)))
    judged = gains(study, normalise(study))
    scores = estimate(judged, runs, str(MEASURE), sample, predictions=given)[str(MEASURE)]
    evidence = "predictions" if given else "people"
    means = scores.means("these_topics").filter(evidence=evidence)
    order = {tag: place for place, tag in enumerate(means["run"])}
    return means["mean"].to_numpy()[[order[run.tag] for run in runs]]


def sampled_units(truth: Truth, documents: IntArray, judgments: int, rng: np.random.Generator) -> IntArray:
    """Return the units (units, places) in which each of these documents is judged `judgments` times."""
    rows = []
    for topic in np.unique(truth.topic[documents]):
        own = documents[truth.topic[documents] == topic]
        units = -(-len(own) // PLACES)
        order = np.arange(len(own))
        filled = np.full((judgments, units * PLACES), -1)
        filled[:, order // units + (order % units) * PLACES] = rng.permuted(
            np.tile(own, (judgments, 1)), axis=1
        )
        rows.append(filled.reshape(-1, PLACES))
    return np.concatenate(rows)


def _adaptive(
    truth: Truth, crowd: Crowd, runs: list[Run], cells: Sequence[Cell], rng: np.random.Generator
) -> Iterator[Judgments]:
    """Yield the judgments of an adaptive study when it has spent the budget of each cell, in their order."""
    if not cells:
        return
    places = {row: place for place, row in enumerate(truth.table.iter_rows())}
    study = simulate_study(truth, crowd, rng, judgments_per_document=START).judgments
    per_judgment = study.table["unit_id"].n_unique() / START
    settings = Settings(
        str(MEASURE), level=0.999, top_level=0.999, units=round(per_judgment / 2), draws=20, top_draws=1
    )
    batch = 0
    for cell in cells:
        while study.table["unit_id"].n_unique() < round(cell.judgments * per_judgment):
            batch += 1
            decision = decide(study, runs, settings, seed=1, batch=batch)
            if decision.stops:
                break
            plan = np.array([[places[topic, name] for name in names] for topic, names in decision.units])
            further = simulate_study(truth, crowd, rng, plan=plan).judgments.table.with_columns(
                pl.concat_str(pl.lit(f"{batch}-"), name).alias(name) for name in ("unit_id", "worker_id")
            )
            study = Judgments.from_checked(pl.concat([study.table, further]))
        yield study


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=60)
    parser.add_argument("--pilot", type=int, nargs=2, default=(6, 5), metavar=("TOPICS", "JUDGMENTS"))
    args = parser.parse_args()
    start = time.perf_counter()
    for name, crowd in CROWDS.items():
        rows = compared(crowd, range(args.studies), pilot=tuple(args.pilot))
        print("| crowd | way | share | judgments | planned | real | median | error | τ planned | τ real |")
        print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
        for row in rows:
            numbers = (f"{row[key]:.3f}" for key in NUMBERS)
            print(
                f"| {name} | {row['way']} | {row['share']} | {row['judgments']} |", " | ".join(numbers), "|"
            )
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()

"""Compare the forms of ERR on magnitudes: which of them ranks systems as true gains do?

There are two kinds of data: simulated studies, whose true gains are known, and the magnitudes of RankME. In
RankME, three systems wrote a text for each of 100 inputs, and three workers judged each text. An input is a
topic here, and the six orders of the systems are the runs. The command prints the tables in
docs/reference/measures/cascade.md:

    python -m tests.benchmarks.err_forms --seeds 20 --rankme RANKME
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison import tau_b
from evaluation.crowds import CROWDS, draw_truth, simulate_study
from evaluation.frames import Gains
from evaluation.magnitudes import gains, normalise
from evaluation.runs import Run
from evaluation.scores import score

FORMS: Final = (
    "nDCG@10",
    'ERR(gmax="topic")@10',
    'ERR(gmax="topic", stop="ntcireval")@10',
    'ERR(stop="share")@10',
)
TOPICS: Final = [{"N": 40, "M": 12, "R": 6, "H": 2}] * 18
SYSTEMS: Final = 20
LEAST: Final = 0.001
"""A probability of stopping below this is as good as none."""


def main(words: Sequence[str] | None = None) -> None:
    """Print the two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rankme", type=Path)
    args = parser.parse_args(words)
    print(
        "| measure | τ with true gains | τ after × 0.1 | τ after × 10 | score from the best document alone |"
    )
    print("|---|---|---|---|---|")
    results = np.mean([list(simulated(seed)) for seed in range(args.seeds)], axis=0)
    for form, row in zip(FORMS, results, strict=True):
        print(f"| `{form}` | {' | '.join(f'{value:.2f}' for value in row)} |")
    if args.rankme:
        print("\n| measure | τ with nDCG@10 | second-best texts that stop fewer than 1 in 1,000 readers |")
        print("|---|---|---|")
        judged = rankme(args.rankme)
        for form in FORMS:
            print(f"| `{form}` | {of_rankme(judged, form)} |")


def simulated(seed: int) -> Iterator[list[float]]:
    """Yield for each form: τ with the ranking by true gains, after scaling, and the best document's part."""
    rng = np.random.default_rng(seed)
    truth = draw_truth(TOPICS, CROWDS["typical"], rng)
    judgments = simulate_study(truth, CROWDS["typical"], rng, judgments_per_document=10).judgments
    medians = gains(judgments, normalise(judgments))
    noises = np.linspace(0.5, 3, SYSTEMS)
    runs = [
        Run.from_columns(
            f"r{place:02}",
            truth.table["topic_id"],
            truth.table["document_id"],
            truth.level + noise * rng.normal(size=len(truth.level)),
        )
        for place, noise in enumerate(noises)
    ]
    of_truth = Gains.from_columns(truth.table["topic_id"], truth.table["document_id"], np.exp(truth.level))
    for form in FORMS:
        known = means(of_truth, runs, form)
        unscaled = means(medians, runs, form)
        same = [tau_b(means(scaled(medians, by), runs, form), unscaled) or 0.0 for by in (0.1, 10.0)]
        top = medians.table.filter(pl.col("gain") == pl.col("gain").max().over("topic_id"))
        alone = means(Gains(top), runs, form).mean() / unscaled.mean()
        yield [tau_b(unscaled, known) or 0.0, *same, float(alone)]


def means(of: Gains, runs: Sequence[Run], form: str) -> FloatArray:
    """Return the runs' means."""
    return np.array([row.value for row in score(of, runs, form).means()])


def scaled(of: Gains, by: float) -> Gains:
    """Return all gains times a number."""
    return Gains(of.table.with_columns(gain=pl.col("gain") * by))


def rankme(folder: Path) -> Gains:
    """Return the median magnitude of each text: how informative it is, next to a reference text of 100."""
    rows = pl.read_csv(folder / "stp2_plainME_inf.csv", infer_schema=False)
    medians = rows.group_by("mr_id", "team").agg(gain=pl.col("informativeness").cast(pl.Float64).median())
    return Gains.from_columns(*(medians.sort("mr_id", "team")[name] for name in ("mr_id", "team", "gain")))


def of_rankme(judged: Gains, form: str) -> str:
    """Return the cells of a form: τ between rankings of the runs, and the share of texts without weight."""
    topics, teams = (judged.table[name].unique().sort().to_list() for name in ("topic_id", "document_id"))
    runs = [
        Run.from_columns(
            "-".join(order),
            [t for t in topics for _ in order],
            [*order] * len(topics),
            [3.0, 2.0, 1.0] * len(topics),
        )
        for order in permutations(teams)
    ]
    tau = tau_b(means(judged, runs, form), means(judged, runs, FORMS[0])) or 0.0
    if form == FORMS[0]:
        return f"{tau:.2f} | – "
    # A run of the second-best text alone has the text's probability of stopping as its score.
    gain = pl.col("gain")
    second = judged.table.filter(gain < gain.max().over("topic_id")).sort("gain", descending=True)
    second = second.unique("topic_id", keep="first", maintain_order=True)
    alone = Run.from_columns("second", second["topic_id"], second["document_id"], [1.0] * len(second))
    values = score(judged, [alone], form).values[0, :, 0]
    stops = values[
        np.isin(judged.table["topic_id"].unique().sort().to_numpy(), second["topic_id"].to_numpy())
    ]
    return f"{tau:.2f} | {(stops < LEAST).sum()} of {len(stops)}"


if __name__ == "__main__":
    main()

"""Normalising 5,000,000 judgments with text keys, beside pandas doing the same.

    python -m tests.benchmarks.normalise_judgments [--judgments 5000000] [--rounds 5]

Both start from a table in memory, each in its own library's form, and both end with one normalised magnitude
a judgment in the order of the rows; the results are compared. They take turns, and medians are printed. Where
pyarrow is installed, pandas keeps texts in its form, which takes less than half the time; the line says so.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray
from evaluation.frames import Judgments
from evaluation.magnitudes import normalise

if TYPE_CHECKING:
    import pandas as pd

TOPICS, UNITS_OF_A_TOPIC, DOCUMENTS_OF_A_TOPIC, WORKERS = 50, 100, 1000, 997
KEYS = ["topic_id", "unit_id", "worker_id"]
SEED = 1999


class Times(NamedTuple):
    """Seconds of each round, and the largest relative difference between the two results."""

    ours: list[float]
    pandas: list[float]
    apart: float

    @property
    def ratio(self) -> float:
        """How many times as long pandas takes: the median over the rounds."""
        return statistics.median(p / o for p, o in zip(self.pandas, self.ours, strict=True))


def judgments_made(rows: int, seed: int = SEED) -> Judgments:
    """Judgments in random order: 50 topics, 100 units each with ids of their own, a worker for each unit."""
    rng = np.random.default_rng(seed)
    units, documents = TOPICS * UNITS_OF_A_TOPIC, TOPICS * DOCUMENTS_OF_A_TOPIC
    unit = rng.integers(units, size=rows)
    topic = unit // UNITS_OF_A_TOPIC
    worker = rng.permutation(units)[unit] % WORKERS
    document = topic * DOCUMENTS_OF_A_TOPIC + rng.integers(DOCUMENTS_OF_A_TOPIC, size=rows)
    return Judgments.from_columns(
        _texts([f"{401 + i}" for i in range(TOPICS)], topic),
        _texts([f"{401 + i // UNITS_OF_A_TOPIC}-{i % UNITS_OF_A_TOPIC + 1}" for i in range(units)], unit),
        _texts([f"FT911-{i}" for i in range(documents)], document),
        np.exp(rng.normal(2.0, 1.5, size=rows)),
        _texts([f"w{7919 * i:08x}" for i in range(WORKERS)], worker),
    )


def _texts(names: list[str], places: IntArray) -> pl.Series:
    return pl.Series(names, dtype=pl.String).gather(places)


def pandas_frame(judgments: Judgments) -> "pd.DataFrame":
    """The same judgments as pandas keeps them, with its default type of text."""
    import pandas as pd

    return pd.DataFrame({name: judgments.table[name].to_list() for name in judgments.table.columns})


def normalised_by_pandas(frame: "pd.DataFrame") -> FloatArray:
    """Geometric averaging with groupby and transform."""
    logs = np.log(frame["relevance_score"])
    of_unit = logs.groupby([frame[key] for key in KEYS]).transform("mean")
    of_topic = logs.groupby(frame["topic_id"]).transform("mean")
    return np.exp(logs - of_unit + of_topic).to_numpy()


def compare(rows: int = 5_000_000, rounds: int = 5) -> Times:
    """Both in turn, `rounds` times."""
    judgments = judgments_made(rows)
    frame = pandas_frame(judgments)
    ours, pandas = [], []
    apart = 0.0
    for _ in range(rounds):
        seconds, found = _timed(lambda: normalise(judgments))
        ours.append(seconds)
        seconds, expected = _timed(lambda: normalised_by_pandas(frame))
        pandas.append(seconds)
        apart = max(apart, float(np.max(np.abs(found / expected - 1))))
    return Times(ours, pandas, apart)


def _timed(work: Callable[[], FloatArray]) -> tuple[float, FloatArray]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--judgments", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args(arguments)
    times = compare(args.judgments, args.rounds)
    ours, pandas = statistics.median(times.ours), statistics.median(times.pandas)
    texts = pandas_frame(judgments_made(1))["topic_id"].dtype
    sys.stdout.write(
        f"normalise {args.judgments:,} judgments, {args.rounds} rounds, medians: ours {ours:.2f} s,"
        f" pandas ({texts!r}) {pandas:.2f} s, {times.ratio:.1f} × as fast; results within {times.apart:.0e}\n"
    )


if __name__ == "__main__":
    main()

"""Run files and qrels of the size of a TREC track, drawn from one seed.

Like the real thing in what costs time: some 5 % of the judged documents are relevant, with the grades 1 to
3; judged documents gather at the top of every run, relevant ones more so; a run's scores are distinct and its
lines stand in their order; and every system retrieves documents that no other one does.

    python -m tests.benchmarks.evaluation_data FOLDER RUNS TOPICS LENGTH JUDGMENTS
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

from tests.benchmarks.evaluation_sizes import Size

SEED = 20260921
DOCUMENTS = 528_000
GRADES = (0, 1, 2, 3)
SHARES = (0.95, 0.03, 0.015, 0.005)


def make_collection(folder: Path, size: Size) -> None:
    """Write `qrels` and a file for each run, `trec000` and on, into a new folder."""
    folder.mkdir()
    rng = np.random.default_rng(SEED)
    judged = size.judgments // size.topics
    candidates = max(20 * size.length, 2 * judged)
    documents = np.stack([rng.choice(DOCUMENTS, candidates, replace=False) for _ in range(size.topics)])
    grades = rng.choice(GRADES, (size.topics, judged), p=SHARES)
    grades[:, 0] = 1  # no topic without a relevant document
    topics = np.arange(401, 401 + size.topics).astype(str)
    _write(folder / "qrels", topics, "0", documents[:, :judged], grades)
    # What draws a document upwards, before each system's own noise: being judged, and its grade.
    pull = np.zeros((size.topics, candidates))
    pull[:, :judged] = 1.5 + 0.5 * grades
    for number in range(size.runs):
        noise = rng.normal(size=pull.shape, scale=rng.uniform(0.8, 1.2))
        top = np.argsort(-(pull + noise), axis=1)[:, : size.length]
        # Steps of at least .001 keep the scores apart in six decimals and in 32 bits.
        steps = 0.001 + rng.exponential(0.01, top.shape)
        scores = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
        ranked = np.take_along_axis(documents, top, axis=1)
        ranks = np.broadcast_to(np.arange(1, size.length + 1), ranked.shape)
        tag = f"trec{number:03}"
        _write(folder / tag, topics, "Q0", ranked, ranks, scores, tag=tag)


def _write(
    path: Path, topics: np.ndarray, second: str, documents: np.ndarray, *numbers: np.ndarray, tag: str = ""
) -> None:
    """Rows of topic after topic: topic, second column, document, the numbers and, for a run, its tag."""
    columns = {f"number{place}": values.ravel() for place, values in enumerate(numbers)}
    table = pl.DataFrame({"document": documents.ravel(), **columns}).select(
        pl.Series("topic", np.repeat(topics, documents.shape[1])),
        pl.lit(second).alias("second"),
        pl.format("FT{}", pl.col("document").cast(pl.String).str.zfill(7)).alias("document"),
        *columns,
    )
    if tag:
        table = table.with_columns(tag=pl.lit(tag))
    table.write_csv(path, include_header=False, separator=" ", float_precision=6)


if __name__ == "__main__":
    make_collection(Path(sys.argv[1]), Size(*map(int, sys.argv[2:])))

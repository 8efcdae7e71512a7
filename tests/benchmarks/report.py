"""Measure how long the report of a large simulated study takes, and how large its files are.

`python -m tests.benchmarks.report` simulates 60,000 judgments of 50 topics by a typical crowd, and 40 runs of
1,000 documents for each topic. It prints the seconds that each part takes, and the seconds for writing the
files. Options change the size of the study.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from evaluation.crowds import CROWDS, Truth, draw_truth, simulate_study
from evaluation.report import ReportData, build_report, write_report
from evaluation.runs import Run

SHARES = {"N": 0.35, "M": 0.08, "R": 0.05, "H": 0.03}
"""The share of each grade in a pool. The other documents have no known grade."""
DEPTH = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default in (("topics", 50), ("documents", 92), ("judgments", 10), ("runs", 40), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    data = simulated(args.topics, args.documents, args.judgments, args.runs, args.seed)
    print(f"{len(data.judgments.table):,} judgments, {len(data.runs)} runs of {DEPTH:,} documents a topic")
    started = clocks()
    last = started

    def show(done: int, total: int) -> None:
        nonlocal last
        wall, cpu = clocks()
        print(f"  part {done:2} of {total}: {wall - last[0]:6.1f} s, {cpu - last[1]:6.1f} s of CPU")
        last = wall, cpu

    report = build_report(data, show)
    with tempfile.TemporaryDirectory() as folder:
        files = write_report(report, folder)
        size = sum(path.stat().st_size for path in files)
        page, pdf = (Path(folder, name).stat().st_size / 1e6 for name in ("index.html", "report.pdf"))
    wall, cpu = clocks()
    print(f"  files: {wall - last[0]:6.1f} s, {cpu - last[1]:6.1f} s of CPU")
    print(f"in all {wall - started[0]:.1f} s, {cpu - started[1]:.1f} s of CPU")
    print(f"{len(files)} files, {size / 1e6:.1f} MB; index.html {page:.1f} MB, report.pdf {pdf:.1f} MB")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


def clocks() -> tuple[float, float]:
    """Return the real time and the CPU time of this process, in seconds."""
    return time.perf_counter(), time.process_time()


def simulated(topics: int, documents: int, judgments: int, runs: int, seed: int) -> ReportData:
    """Return a simulated study with runs of different quality."""
    rng, crowd = np.random.default_rng(seed), CROWDS["typical"]
    counts = {grade: max(2, round(share * documents)) for grade, share in SHARES.items()}
    truth = draw_truth([counts | {"": documents - sum(counts.values())}] * topics, crowd, rng)
    study = simulate_study(truth, crowd, rng, judgments_per_document=judgments)
    ranked = [simulated_run(f"run{place:02}", truth, 0.5 + 2 * place / runs, rng) for place in range(runs)]
    return ReportData("A simulated study", study.judgments, {"grades": truth.grades()}, ranked, pay=0.2)


def simulated_run(tag: str, truth: Truth, noise: float, rng: np.random.Generator) -> Run:
    """Return a run that ranks the documents of the pool by noisy levels, and documents outside it below."""
    scores = truth.level + noise * rng.normal(size=len(truth.level))
    topics = truth.table["topic_id"].to_list()
    rows = list(zip(topics, truth.documents, scores.tolist(), strict=True))
    for place, topic in enumerate(truth.topics):
        missing = DEPTH - int((truth.topic == place).sum())
        rows += [(topic, f"{topic}-unknown{rank}", -1000.0 - rank) for rank in range(missing)]
    columns = list(zip(*rows, strict=True))
    return Run.from_columns(tag, list(columns[0]), list(columns[1]), list(columns[2]))


if __name__ == "__main__":
    main()

"""How the memory and the time of `score` grow with the number of runs.

    python -m tests.benchmarks.evaluation_memory [--topics 1000] [--runs 1 4 16 64]

Writes runs of `--topics` × 1,000 documents (a million rows, 40 MB) into a folder that is removed again.
Scores the first 1, 4, 16 and 64 of them by the command `score`, and prints the seconds, the processor time
and the peak memory of each. The runs have the same lists and different tags: only their number matters.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.evaluation_sizes import MEASURES, Size
from tests.benchmarks.evaluation_speed import make

LENGTH = 1_000
JUDGED = 1_000
"""Judged documents per topic."""
LINE = "{:>6} {:>12} {:>10} {:>12} {:>14}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--topics", type=int, default=1_000, help="topics of each run (default: 1000)")
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 4, 16, 64], help="numbers of runs")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = make(Path(name) / "collection", Size(1, args.topics, LENGTH, JUDGED * args.topics))
        files = copies(folder / "trec000", max(args.runs))
        print(LINE.format("runs", "rows", "seconds", "processor s", "peak memory MB"), flush=True)
        for number in args.runs:
            seconds, processor, peak = scored(folder / "qrels", files[:number])
            rows = f"{number * args.topics * LENGTH:,}"
            cells = (number, rows, f"{seconds:.1f}", f"{processor:.1f}", f"{peak:.0f}")
            print(LINE.format(*cells), flush=True)


def copies(run: Path, number: int) -> list[Path]:
    """Write the same lists again under other tags, and return all files."""
    data, files = run.read_bytes(), [run]
    for place in range(1, number):
        files.append(run.with_name(f"copy{place:03}"))
        files[-1].write_bytes(data.replace(b" trec000\n", b" copy%03d\n" % place))
    return files


def scored(qrels: Path, files: list[Path]) -> tuple[float, float, float]:
    """Score the files once. Return the seconds, the processor seconds, and the peak memory in MB."""
    command = [sys.executable, "-m", "evaluation", "score", str(qrels), *map(str, files), "-m", *MEASURES]
    to_file = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    began = time.perf_counter()
    pid = os.posix_spawn(sys.executable, command, dict(os.environ), file_actions=[to_file])
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"scoring {len(files)} runs failed")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()

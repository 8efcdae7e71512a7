"""How fast `evaluation` is beside its peers, and how much memory each takes.

    python -m tests.benchmarks.evaluation_speed [--quick] [--rounds 5]

Needs the peers: `pip install --group peers` (and `--group test`), in the environment that has `evaluation`.

Makes 129 runs × 50 topics × 1,000 documents with 85,000 judgments from a fixed seed (some 250 MB in a folder
that is removed again; `--quick`: 12 × 10 × 200), lets us and the peers work in turn, five rounds after one
trial, each in a process of its own, and prints the median over the rounds of how many times quicker we are,
with the median seconds and the peak memory of both, and below it the seconds of every round and the processor
time, which tells more if others use the machine. Six pieces of work:

- nDCG@10, nDCG@1000, AP, P@10 and ERR@10 from ranked lists from which nothing has been computed yet, beside
  pytrec_eval's `evaluate` on its own dicts, which has no ERR to compute but sorts the lists;
- the same from `Run` objects, which are read but not ranked: matching and sorting are on our side too;
- the same from lists that were scored before, with other gains;
- from files to printed means, beside pytrec_eval and then beside ranx; the whole programs, with their
  bytecode in place, and what remains of them without their start (Python, imports and what ranx compiles),
  taken on a collection of one short list;
- τ of 1,000 resamples of the magnitudes of 4,269 documents, nDCG@10 of 129 runs × 18 topics, beside a loop
  over pytrec_eval; and swap rates of 435 pairs by 24 measures over 1,000 trials, beside a plain loop over the
  means that numpy takes, as arrays and as lists of Python's floats. Loops do 5 of the thousand, and what they
  take is multiplied by 200;
- normalising 5,000,000 judgments, beside pandas: see `tests.benchmarks.normalise_judgments`.

Where both sides compute a measure their means must agree (to six digits, or as printed), or the benchmark
fails. At last it shows how our time grows with the runs and with the topics.
"""

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from dataclasses import astuple
from pathlib import Path
from statistics import median

from tests.benchmarks.evaluation_peers import READERS
from tests.benchmarks.evaluation_sizes import DRAWS, FULL, LOOPED, MEASURES, QUICK, STUDY, TINY, TRIALS, Size
from tests.benchmarks.in_turn import Timed, Worker, run_in_turn, work_in_turn

OURS, PEERS = "tests.benchmarks.evaluation_ours", "tests.benchmarks.evaluation_peers"
COMPARING = "tests.benchmarks.comparing"
LINE = "{:44} {:12} {:>8} {:>9} {:>10} {:>10} {:>9} {:>9}"
HEAD = ("work", "beside", "quicker", "at least", "ours", "theirs", "our peak", "theirs")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a small collection; the ratios mean little")
    parser.add_argument("--rounds", type=int, default=5, help="how often each works (default: 5)")
    args = parser.parse_args()
    for peer in ("pytrec_eval", "ranx", "pandas"):
        if importlib.util.find_spec(peer) is None:
            raise SystemExit(f"{peer} is not installed; run: pip install --group test --group peers")
    size = QUICK if args.quick else FULL
    with tempfile.TemporaryDirectory() as name:
        folder = make(Path(name) / "collection", size)
        megabytes = sum(path.stat().st_size for path in folder.glob("trec*")) / 1e6
        print(
            f"{size.runs} runs × {size.topics} topics × {size.length} documents, "
            f"{size.judgments:,} judgments, {megabytes:.0f} MB of run files\n"
        )
        print(LINE.format(*HEAD), flush=True)
        from_memory(folder, args.rounds)
        from_files(folder, make(Path(name) / "tiny", TINY), args.rounds)
        comparing(make(Path(name) / "study", STUDY if not args.quick else QUICK), args.rounds)
        growth(folder, size, args.rounds)
    normalising(quick=args.quick, rounds=args.rounds)


def make(folder: Path, size: Size) -> Path:
    """The files, made by a program of its own to keep this one small; the folder."""
    words = ["-m", "tests.benchmarks.evaluation_data", folder, *astuple(size)]
    subprocess.run([sys.executable, *map(str, words)], check=True)
    return folder


def from_memory(folder: Path, rounds: int) -> None:
    makers = (f"{PEERS}:PytrecEval", f"{OURS}:NewLists", f"{OURS}:Ranking", f"{OURS}:PreparedLists")
    theirs, new, ranked, prepared = work_in_turn([Worker(maker, (folder,)) for maker in makers], rounds)
    for ours in (new, ranked):
        agree(ours.result, theirs.result, 1e-6)
    show("five measures of ranked lists", "pytrec_eval", new, theirs, 50)
    show("the same of Run objects", "pytrec_eval", ranked, theirs)
    show("the same of prepared lists, other gains", "pytrec_eval", prepared, theirs, 400)


def from_files(folder: Path, tiny: Path, rounds: int) -> None:
    """The whole programs, and beside that what remains when the time on one list of ten is taken off."""
    for peer, wanted in zip(READERS, (3, 8), strict=True):
        (ours, theirs), starts = (read_in_turn(files, peer, rounds) for files in (folder, tiny))
        agree(ours.result, theirs.result, 1.01e-4)  # as printed; a 5 at the end may be rounded either way
        show("files → printed means", peer, ours, theirs, wanted)
        if min(theirs.seconds) > 2 * starts[1].median:  # else what remains is lost in the noise
            less = [timed.less(start) for timed, start in zip((ours, theirs), starts, strict=True)]
            show("the same, less the start of the program", peer, *less)


def read_in_turn(folder: Path, peer: str, rounds: int) -> list[Timed]:
    """We and a peer on the files of a folder; the results are the printed means.

    Each peer for itself: after half a minute of a slow one, whoever is next finds a machine that is hot or
    out of credit.
    """
    files = sorted(folder.glob("trec*"))
    commands = [
        ["-m", "evaluation", "score", str(folder / "qrels"), *map(str, files), "-m", *MEASURES],
        ["-m", PEERS, peer, str(folder)],
    ]
    outputs = [folder / f"printed{place}" for place in range(len(commands))]
    result = run_in_turn(commands, outputs, rounds, files)
    for timed, output in zip(result, outputs, strict=True):
        rows = (line.split() for line in output.read_text().splitlines())
        timed.result = {(run, measure): float(value) for run, _, measure, value in rows}
    return result


def comparing(folder: Path, rounds: int) -> None:
    """Resampling and swap rates, whose peers are loops; they are scaled to as many rounds as ours."""
    makers = [(f"{COMPARING}:{maker}", (folder,)) for maker in ("Resamples", "LoopedResamples")]
    makers += [(f"{COMPARING}:Swaps", ()), (f"{COMPARING}:Swaps", (LOOPED,))]
    makers += [(f"{COMPARING}:LoopedSwaps", (lists,)) for lists in (False, True)]
    ours, loop, swaps, few, *looped = work_in_turn([Worker(*maker) for maker in makers], rounds)
    if abs(ours.result - loop.result) > 0.1:
        raise SystemExit(f"the mean tau is {ours.result} here and {loop.result} there")
    if not all(few.result.is_as(timed.result) for timed in looped):
        raise SystemExit("the swaps of the first subsets are others in the loops")
    show("tau of 1,000 resamples", "loop, scaled", ours, loop.scaled(DRAWS / LOOPED), 300)
    arrays, lists = (timed.scaled(TRIALS / LOOPED) for timed in looped)
    show("swap rates of 1,000 trials", "loop, scaled", swaps, arrays, 100)
    show("the same, the loop over Python's floats", "loop, scaled", swaps, lists)


def normalising(*, quick: bool, rounds: int) -> None:
    print(flush=True)
    command = [sys.executable, "-m", "tests.benchmarks.normalise_judgments", "--rounds", str(rounds)]
    subprocess.run([*command, *(["--judgments", "200000"] if quick else [])], check=True)


def growth(folder: Path, size: Size, rounds: int) -> None:
    """Our time at a quarter, a half and the whole of the runs, and of the topics."""
    print("\nGrowth, in ms: linear where each number is twice the one before, less what does not grow.")
    parts = (4, 2, 1)
    by_runs = [(folder, -(-size.runs // part), size.topics) for part in parts]
    by_topics = [(folder, size.runs, -(-size.topics // part)) for part in parts]
    for maker, what in (("NewLists", "measures of ranked lists"), ("Ranking", "ranking included")):
        for sizes, of in ((by_runs, "runs"), (by_topics, "topics")):
            result = work_in_turn([Worker(f"{OURS}:{maker}", arguments) for arguments in sizes], rounds)
            cells = [
                f"{arguments[1 if of == 'runs' else 2]} {of}: {timed.median * 1000:.1f}"
                for arguments, timed in zip(sizes, result, strict=True)
            ]
            print(f"{what:28}", *(f"{cell:>20}" for cell in cells), flush=True)


def show(work: str, beside: str, ours: Timed, theirs: Timed, wanted: float | None = None) -> None:
    at_least = f"{wanted} ×" if wanted else ""
    quicker = f"{ours.times_quicker_than(theirs):.1f} ×"
    seconds = (f"{timed.median:.4f} s" for timed in (ours, theirs))
    peaks = (f"{timed.peak:.0f} MB" for timed in (ours, theirs))
    print(LINE.format(work, beside, quicker, at_least, *seconds, *peaks), flush=True)
    for side, timed in (("ours", ours), ("theirs", theirs)):
        print(f"  {side + ', every round':42}", *(f"{second:.4f}" for second in timed.seconds), flush=True)
    work = (f"{median(timed.processor):.4f} s" for timed in (ours, theirs))
    print(
        LINE.format(
            "  in processor time", "", f"{ours.times_less_work_than(theirs):.1f} ×", "", *work, "", ""
        )
    )


def agree(ours: dict[tuple[str, str], float], theirs: dict[tuple[str, str], float], within: float) -> None:
    """Stop where a mean that both sides have differs: such times could not be compared."""
    for key, value in theirs.items():
        if abs(ours[key] - value) > within:
            raise SystemExit(f"{' '.join(key)} is {ours[key]} here and {value} there")


if __name__ == "__main__":
    main()

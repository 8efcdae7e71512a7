"""The measurements of samples. Each prints a table in Markdown.

python -m tests.benchmarks.sampling grid --seeds 200 -o grid/
python -m tests.benchmarks.sampling ranking --seeds 100
python -m tests.benchmarks.sampling ratio --seeds 200
PLUMBLINE_COLLECTIONS=… python -m tests.benchmarks.sampling grades --draws 80
PLUMBLINE_COLLECTIONS=… python -m tests.benchmarks.sampling peers --draws 30
"""

import argparse
from pathlib import Path

import polars as pl

from evaluation.magnitudes.normalisation import METHODS
from tests.benchmarks.sampling import grades, grid, peers, ranking, ratio, tables


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("grid", "ranking", "ratio"):
        simulated = commands.add_parser(name)
        simulated.add_argument("--seeds", type=int, default=200)
        simulated.add_argument("--bank", type=int, default=grid.BANK, help="topics to draw from")
    of_grid = commands.choices["grid"]
    of_grid.add_argument("-o", "--output", type=Path, required=True, help="the folder of the CSV files")
    of_grid.add_argument(
        "--method", choices=METHODS, default="additive", help="the normalisation (default: additive)"
    )
    of_grid.add_argument("--processes", type=int, default=2)
    of_grid.add_argument("--quick", action="store_true", help="10 seeds and a bank of 40 topics")
    of_grid.add_argument("--tables", action="store_true", help="only print the tables of what is there")
    for name, draws in (("grades", 80), ("peers", 30)):
        graded = commands.add_parser(name)
        graded.add_argument("--draws", type=int, default=draws)
        graded.add_argument("--systems", type=int, default=20)
    commands.choices["grades"].add_argument("--share", type=float, default=0.2)
    commands.choices["grades"].add_argument(
        "--sigma", type=float, help="make magnitudes of the grades, with this noise"
    )
    args = parser.parse_args(arguments)
    for table in globals()[f"_{args.command}"](args):
        print(tables.markdown(table), end="\n\n")


def _grid(args: argparse.Namespace) -> list[pl.DataFrame]:
    seeds, bank = (grid.BLOCK, 40) if args.quick else (args.seeds, args.bank)
    if not args.tables:
        grid.run(args.output, seeds, method=args.method, processes=args.processes, topics=bank)
    return tables.of_grid(tables.summary(args.output))


def _ranking(args: argparse.Namespace) -> list[pl.DataFrame]:
    return [ranking.table(pl.DataFrame(ranking.rankings(args.seeds, bank=args.bank)))]


def _ratio(args: argparse.Namespace) -> list[pl.DataFrame]:
    return [ratio.table(pl.DataFrame(ratio.intervals(args.seeds, topics=args.bank)))]


def _grades(args: argparse.Namespace) -> list[pl.DataFrame]:
    truth, predictions = grades.llmjudge()
    if args.sigma is not None:
        truth = grades.magnitudes(truth, args.sigma)
    sizes = {"systems": args.systems, "share": args.share, "draws": args.draws}
    return [grades.table(pl.DataFrame(grades.results(truth, predictions, **sizes)))]


def _peers(args: argparse.Namespace) -> list[pl.DataFrame]:
    rows = peers.compared(*grades.llmjudge(), systems=args.systems, draws=args.draws)
    return [peers.table(pl.DataFrame(rows, infer_schema_length=None))]


if __name__ == "__main__":
    main()

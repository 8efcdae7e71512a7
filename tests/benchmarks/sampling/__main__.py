"""The measurements of samples. Each prints its tables in Markdown.

- `grid`: intervals on simulated crowds, with the naive filling beside them.
- `design`: the same without noise of the judgments, so that all errors come from the draw.
- `models`: the same with simulated language models, one of which favours a run.
- `alike`: intervals of means if the lists of the runs are alike.
- `ranking`: τ of the runs from sampled studies and from complete studies.
- `ratio`: what an nDCG from a sample would do, which the library refuses.
- `bias`: the mean error over very many draws, whatever predicts the gains.
- `grades`: errors on the grades of `llmjudge`, by how documents are chosen.
- `peers`: ppi-python, statAP, infAP and xinfAP on the same grades.

The last two need `PLUMBLINE_COLLECTIONS`. `peers` also needs the dependency group `peers`.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

import polars as pl

from evaluation.magnitudes.normalisation import METHODS
from tests.benchmarks.sampling import alike, bias, design, grades, grid, models, peers, ranking, ratio, tables

Tables = list[pl.DataFrame]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    parsers = {name: commands.add_parser(name) for name in COMMANDS}
    for name in ("grid", "design", "models", "ranking", "ratio"):
        parsers[name].add_argument("--seeds", type=int, default=200)
        parsers[name].add_argument("--bank", type=int, default=grid.BANK, help="topics to draw from")
    of_grid = parsers["grid"]
    of_grid.add_argument("-o", "--output", type=Path, required=True, help="the folder of the CSV files")
    of_grid.add_argument("--method", choices=METHODS, default="additive", help="default: additive")
    of_grid.add_argument("--processes", type=int, default=2)
    of_grid.add_argument("--quick", action="store_true", help="10 seeds and a bank of 40 topics")
    of_grid.add_argument("--tables", action="store_true", help="only print the tables of what is there")
    parsers["alike"].add_argument("--seeds", type=int, default=100)
    parsers["bias"].add_argument("--draws", type=int, default=10_000)
    for name, draws in (("grades", 80), ("peers", 30)):
        parsers[name].add_argument("--draws", type=int, default=draws)
        parsers[name].add_argument("--systems", type=int, default=20)
    parsers["grades"].add_argument("--share", type=float, default=0.2)
    parsers["grades"].add_argument(
        "--sigma", type=float, help="make magnitudes of the grades, with this noise"
    )
    args = parser.parse_args(arguments)
    for table in COMMANDS[args.command](args):
        print(tables.markdown(table), end="\n\n")


def _grid(args: argparse.Namespace) -> Tables:
    seeds, bank = (grid.BLOCK, 40) if args.quick else (args.seeds, args.bank)
    if not args.tables:
        grid.run(args.output, seeds, method=args.method, processes=args.processes, topics=bank)
    return tables.of_grid(tables.summary(args.output))


def _design(args: argparse.Namespace) -> Tables:
    return [design.table(pl.concat(design.intervals(args.seeds, topics=args.bank)))]


def _bias(args: argparse.Namespace) -> Tables:
    return [bias.table(pl.DataFrame(bias.biases(args.draws)))]


def _models(args: argparse.Namespace) -> Tables:
    return [models.table(models.studies(args.seeds, topics=args.bank))]


def _alike(args: argparse.Namespace) -> Tables:
    return [pl.DataFrame(alike.rows(args.seeds))]


def _ranking(args: argparse.Namespace) -> Tables:
    return [ranking.table(pl.DataFrame(ranking.rankings(args.seeds, bank=args.bank)))]


def _ratio(args: argparse.Namespace) -> Tables:
    return [ratio.table(pl.DataFrame(ratio.intervals(args.seeds, topics=args.bank)))]


def _grades(args: argparse.Namespace) -> Tables:
    truth, predictions = grades.llmjudge()
    if args.sigma is not None:
        truth = grades.magnitudes(truth, args.sigma)
    sizes = {"systems": args.systems, "share": args.share, "draws": args.draws}
    return [grades.table(pl.DataFrame(grades.results(truth, predictions, **sizes)))]


def _peers(args: argparse.Namespace) -> Tables:
    rows = peers.compared(*grades.llmjudge(), systems=args.systems, draws=args.draws)
    return [peers.table(pl.DataFrame(rows, infer_schema_length=None))]


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], Tables]]] = {
    "grid": _grid,
    "design": _design,
    "models": _models,
    "alike": _alike,
    "ranking": _ranking,
    "ratio": _ratio,
    "bias": _bias,
    "grades": _grades,
    "peers": _peers,
}

if __name__ == "__main__":
    main()

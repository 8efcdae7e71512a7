"""The command `correlate`: two rankings of the same systems."""

import argparse
from itertools import product
from typing import TYPE_CHECKING

from evaluation.cli import add_output, output, refuse_digits, warn
from evaluation.errors import InputError

if TYPE_CHECKING:
    from evaluation.frames import Scores

SUMMARY = "rank correlation of the system rankings of two files of scores"
DETAILS = """Reads two files of per-topic rows run topic measure value (tsv, csv or json, as score --per-topic
writes them); means are taken over the topics, rows of topic all are skipped. Compares the one
measure of each file whatever its name, or every measure that both have, and writes a line for each:
statistic, the first file's measure, the second's, the correlation (- where all systems are tied).
With --matrix every measure of the first file is compared with every one of the second. Systems that
are in only one file are left out. For tau_ap the first file is the truth."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="SCORES", help="per-topic scores")
    parser.add_argument("second", metavar="SCORES", help="per-topic scores")
    parser.add_argument(
        "--statistic",
        choices=("tau_b", "tau_a", "tau_c", "tau_ap", "rho"),
        default="tau_b",
        help="Kendall's tau_b (default), tau_a, tau_c; tau_AP; Spearman's rho",
    )
    parser.add_argument("--matrix", action="store_true", help="every measure with every measure")
    parser.add_argument("--digits", type=int, default=6, metavar="N", help="decimals, 4 to 17 (default: 6)")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the rank correlation of each pair of measures. Raise `InputError` for unusable files."""
    from evaluation.compare import STATISTICS
    from evaluation.files import read_scores

    refuse_digits(args.digits, least=4)
    first, second = read_scores(args.first), read_scores(args.second)
    if alone := sorted(set(first.topics) ^ set(second.topics)):
        warn(f"the means are over different topics; topics in one file only: {len(alone)} ({_some(alone)})")
    if alone := sorted(set(first.runs) ^ set(second.runs)):
        warn(f"systems left out because only one file has them: {len(alone)} ({_some(alone)})")
    lines = []
    pairs = product(first.measures, second.measures) if args.matrix else _pairs(first, second, args.second)
    for name, other in pairs:
        means, other_means = _means(first, name), _means(second, other)
        shared = [run for run in means if run in other_means]
        if len(shared) < 2:
            raise InputError(
                "too-few-systems-in-both-files",
                "too few systems ({number}) have a value of {first} in the first file and of {second} in "
                "the second; score at least two systems in both files",
                f"{args.second}:1",
                first=name,
                second=other,
                number=len(shared),
            )
        both = set(first.runs) & set(second.runs)
        if without := sorted(both - set(shared)):
            warn(
                f"systems left out because they have no value of {name} or {other}: "
                f"{len(without)} ({_some(without)})"
            )
        correlation = STATISTICS[args.statistic]
        value = correlation([means[run] for run in shared], [other_means[run] for run in shared])
        printed = "-" if value is None else f"{value:.{args.digits}f}"
        lines.append("\t".join((args.statistic, name, other, printed)) + "\n")
    with output(args.output) as out:
        out.writelines(lines)


def _pairs(first: "Scores", second: "Scores", path: str) -> list[tuple[str, str]]:
    """Return the pairs of measures to compare."""
    if len(first.measures) == len(second.measures) == 1:
        return [(first.measures[0], second.measures[0])]
    shared = [(name, name) for name in first.measures if name in second.measures]
    if not shared:
        raise InputError(
            "no-measure-in-both-files",
            "the two files have no measure in common: the first has {first}, the second has {second}; use "
            "the same measure in both, or compare all with --matrix",
            f"{path}:1",
            first=", ".join(first.measures),
            second=", ".join(second.measures),
        )
    return shared


def _some(names: list[str], limit: int = 10) -> str:
    return ", ".join(names[:limit]) + (", …" if len(names) > limit else "")


def _means(scores: "Scores", measure: str) -> dict[str, float]:
    """Return the mean of every system that has one."""
    return {row.run: row.value for row in scores.means() if row.measure == measure and row.value is not None}

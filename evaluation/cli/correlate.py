"""The command `correlate`: correlate two rankings of the same systems."""

import argparse
from itertools import product
from typing import TYPE_CHECKING

from ..errors import InputError
from . import add_output, output, refuse_digits, warn
from .columns import SCORE_COLUMNS, add_columns, names_of

if TYPE_CHECKING:
    from ..score_table import Scores

SUMMARY = "rank correlation between the system rankings of two score files"
DETAILS = """Reads two files of per-topic rows run topic measure value (tsv, csv or json, as score --per-topic
writes them). Rows of topic all are skipped, and the means over topics are computed anew.

If each file has one measure, these two are compared, whatever their names. Otherwise each measure
that is in both files is compared. With --matrix, every measure of the first file is compared with
every measure of the second. Each comparison is written as a line: statistic, measure of the first
file, measure of the second file, correlation (- if all systems are tied).

Systems that are in only one file are left out. For tau_ap, the first file is the truth.

rbo is rank-biased overlap, which gives most weight to the top. Its parameters, with their defaults:
  p=0.9                the probability of going on to the next rank
  form="extrapolated"  ranks below the last system agree like those above; "minimum": not at all
  ties="averaged"      the mean over all orders of tied systems; "together": they share a rank"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="SCORES", help="per-topic scores")
    parser.add_argument("second", metavar="SCORES", help="per-topic scores")
    parser.add_argument(
        "--statistic",
        default="tau_b",
        metavar="NAME",
        help="tau_b (default), tau_a or tau_c of Kendall; tau_ap; rho of Spearman; rbo, or with its "
        "parameters rbo(p=0.9)",
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="compare every measure of the first file with every measure of the second",
    )
    parser.add_argument("--digits", type=int, default=6, metavar="N", help="decimals, 4 to 17 (default: 6)")
    add_columns(parser, *SCORE_COLUMNS)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the rank correlation of each pair of measures. Raise `InputError` for unusable files."""
    from ..comparison import parse_statistic
    from ..files import read_scores

    refuse_digits(args.digits, least=4)
    correlation = parse_statistic(args.statistic)
    first, second = (read_scores(path, names_of(args.columns)) for path in (args.first, args.second))
    if unshared := sorted(set(first.topics) ^ set(second.topics)):
        warn(f"the means are over different topics; topics in only one file: {_name_some(unshared)}")
    if unshared := sorted(set(first.runs) ^ set(second.runs)):
        warn(f"systems left out because only one file has them: {_name_some(unshared)}")
    lines = []
    pairs = product(first.measures, second.measures) if args.matrix else _pairs(first, second, args.second)
    for name, other in pairs:
        means, other_means = _means(first, name), _means(second, other)
        shared = [run for run in means if run in other_means]
        if len(shared) < 2:
            raise InputError(
                "too-few-systems-in-both-files",
                "too few systems ({number}) have values for both {first} (first file) and {second} "
                "(second file); score at least two systems in both files",
                f"{args.second}:1",
                first=name,
                second=other,
                number=len(shared),
            )
        in_both = set(first.runs) & set(second.runs)
        if without := sorted(in_both - set(shared)):
            warn(f"systems left out because they have no value of {name} or {other}: {_name_some(without)}")
        value = correlation([means[run] for run in shared], [other_means[run] for run in shared])
        printed = "-" if value is None else f"{value:.{args.digits}f}"
        lines.append("\t".join((args.statistic, name, other, printed)) + "\n")
    with output(args.output) as out:
        out.writelines(lines)


def _pairs(first: "Scores", second: "Scores", path: str) -> list[tuple[str, str]]:
    """Return the pairs of measures that the command compares without `--matrix`."""
    if len(first.measures) == len(second.measures) == 1:
        return [(first.measures[0], second.measures[0])]
    shared = [(name, name) for name in first.measures if name in second.measures]
    if not shared:
        raise InputError(
            "no-measure-in-both-files",
            "the two files have no measure in common: the first has {first}, the second has {second}; use "
            "the same measure in both, or add --matrix to compare all measures",
            f"{path}:1",
            first=", ".join(first.measures),
            second=", ".join(second.measures),
        )
    return shared


def _name_some(names: list[str], limit: int = 10) -> str:
    listed = ", ".join(names[:limit]) + (", …" if len(names) > limit else "")
    return f"{len(names)} ({listed})"


def _means(scores: "Scores", measure: str) -> dict[str, float]:
    """Return the mean of each system that has a value for the measure."""
    return {row.run: row.value for row in scores.means() if row.measure == measure and row.value is not None}

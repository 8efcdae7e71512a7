"""The command `topset`: list the best system and the systems that are not significantly worse."""

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError, shown
from . import add_output, output, refuse_digits, warn
from .columns import SCORE_COLUMNS, add_columns, names_of

if TYPE_CHECKING:
    from ..score_table import Scores

SUMMARY = "the best system and the systems that are not significantly worse"
DETAILS = """Reads per-topic rows run topic measure value (tsv, csv or json, as score --per-topic writes
them). Rows of topic all are skipped. Writes a line for each system of the top set, best first: system,
mean over its topics, two-sided p of Wilcoxon's signed-rank test against the best system (1 for the
best itself).
A system is in the top set if p is alpha or more; p is not adjusted for the number of systems.

  plumbline score gains.txt runs/* -m nDCG@10 --per-topic -o scores.tsv
  plumbline topset scores.tsv"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scores", metavar="SCORES", help="per-topic scores")
    parser.add_argument("-m", "--measure", metavar="MEASURE", help="the measure, if the file has several")
    parser.add_argument(
        "--alpha", type=float, default=0.05, help="significance level, between 0 and 1 (default: .05)"
    )
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals, 4 to 17 (default: 4)")
    add_columns(parser, *SCORE_COLUMNS)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the systems in the top set, best first. Raise `InputError` for unusable scores or settings."""
    from ..comparison import top_set
    from ..files import read_scores
    from ..measures import as_printed, lower_is_better

    refuse_digits(args.digits, least=4)
    scores = read_scores(args.scores, names_of(args.columns))
    place = _index_of_measure(scores, args.measure, args.scores)
    values = scores.values[..., place]
    if without := [name for name, row in zip(scores.runs, values, strict=True) if (row != row).all()]:
        warn(f"systems left out because they have no value: {len(without)} ({', '.join(without)})")
    if len(without) == len(scores.runs):
        raise InputError(
            "no-values",
            "no system has a value in any topic; check that this is the right file",
            f"{args.scores}:1",
        )
    systems = top_set(scores.runs, values, alpha=args.alpha, lowest=lower_is_better(scores.measures[place]))
    with output(args.output) as out:
        for system in systems:
            (mean,) = as_printed(scores.measures[place], [system.mean])
            out.write(f"{system.run}\t{mean:.{args.digits}f}\t{system.p:.{args.digits}f}\n")


def _index_of_measure(scores: "Scores", measure: str | None, path: str) -> int:
    """Return the index of the requested measure among the measures in the file."""
    if measure is None and len(scores.measures) == 1:
        return 0
    if measure in scores.measures:
        return scores.measures.index(measure)
    if measure is None:
        raise InputError(
            "several-measures-in-file",
            "the file has several measures; choose one with -m: {known}",
            f"{path}:1",
            known=", ".join(scores.measures),
        )
    raise InputError(
        "measure-not-in-file",
        "the file does not include the measure {measure}; choose from {known}",
        f"{path}:1",
        measure=shown(measure),
        known=", ".join(scores.measures),
    )

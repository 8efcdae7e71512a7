"""The command `distance`: how far a system's ranking is from the user's."""

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from . import add_choice, add_output, output, refuse_digits, warn
from .columns import RATING_COLUMNS, add_columns, names_of

if TYPE_CHECKING:
    from ..score_table import Scores

SUMMARY = "distances between a user's ranking and a system's ranking"
DETAILS = """Reads two files of rows topic 0 document score: the user's ratings of documents, and a system's
scores of documents. Scores can be any finite numbers; higher is better, and equal scores are tied.
Writes rows topic measure value for the topics that are in both files. Rows of topic all come last,
with the means over the topics that have a value. A missing value is -.

measures:
  ndpm   the share of the user's preferences that the system reverses; a tie counts half. 0 is best,
         1 is worst. Covers the user's documents; those that the system did not rank are tied in the
         last place (with --missing drop, they are left out)
  adm    1 - the mean difference between the scores; 1 is best. Covers the documents in either file;
         a missing score counts as 0. Scores must be from 0 to 1, or be scaled in each file and topic:
         --scale max divides by the largest, --scale minmax maps the lowest to 0, the highest to 1.
         With --collection N, covers all N documents of the collection, as in Zhou and Yao (2010)
  tau_a tau_b tau_c   Kendall's rank correlations, over the documents in both files
  rho    Spearman's rank correlation, over the documents in both files

  plumbline distance user.txt system.txt -m ndpm tau_b"""

MEASURES = ("ndpm", "adm", "tau_a", "tau_b", "tau_c", "rho")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("user", metavar="USER", help="ratings by the user, plain or compressed")
    parser.add_argument("system", metavar="SYSTEM", help="scores by the system, plain or compressed")
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        choices=MEASURES,
        nargs="+",
        action="extend",
        required=True,
        help=" ".join(MEASURES),
    )
    add_choice(
        parser,
        "--missing",
        ("last", "drop"),
        "ndpm: documents that the system did not rank share the last place, or are left out",
    )
    add_choice(parser, "--scale", ("none", "max", "minmax"), "adm: how scores are scaled to 0 … 1")
    parser.add_argument(
        "--collection",
        type=int,
        metavar="N",
        help="adm: the mean is over all N documents of the collection (default: those in either file)",
    )
    add_choice(parser, "--format", ("tsv", "csv", "json"), "csv and json have full precision")
    add_columns(parser, *RATING_COLUMNS)
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals in tsv (default: 4)")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the distances in each topic and their means. Raise `InputError` for unusable ratings."""
    from ..distances import distances
    from ..files.ratings import read_ratings
    from ..files.rows import write_rows

    refuse_digits(args.digits, least=0)
    user, system = (read_ratings(path, names_of(args.columns)) for path in (args.user, args.system))
    result = distances(user, system, args.measures, missing=args.missing, scale=args.scale, N=args.collection)
    rows = (((row.topic, row.measure), row.value) for row in (*result.rows, *result.means()))
    with output(args.output) as out:
        write_rows(("topic", "measure", "value"), rows, out, args.format, args.digits)
    for path, topics in (
        (args.user, user.topics - system.topics),
        (args.system, system.topics - user.topics),
    ):
        if topics:
            warn(f"topics left out because only {path} has them: {_name_some(topics)}")
    for text in _without_value(result):
        warn(text)


def _without_value(scores: "Scores") -> Iterator[str]:
    """Yield a warning for each measure that has no value in some topics."""
    for measure in scores.measures:
        topics = [row.topic for row in scores.rows if row.measure == measure and row.value is None]
        if topics:
            yield f"topics without a value of {measure}: {_name_some(topics)}"


def _name_some(topics: Iterable[str], limit: int = 5) -> str:
    named = sorted(topics)
    shown = ", ".join(named[:limit]) + (", …" if len(named) > limit else "")
    return f"{len(named)} ({shown})"

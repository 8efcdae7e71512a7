"""Code shared by the commands that draw random subsets of topics."""

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError
from . import add_output, refuse_negative_seed, warn
from .columns import SCORE_COLUMNS, add_columns, names_of

if TYPE_CHECKING:
    from ..score_table import Scores


def add_arguments(parser: argparse.ArgumentParser, *, topics: str) -> None:
    """Add the arguments for the file, subsets, seed and output. `topics` is the help text of `--topics`."""
    parser.add_argument("scores", metavar="SCORES", help="per-topic scores")
    parser.add_argument("--topics", type=int, metavar="C", help=topics)
    parser.add_argument("--trials", type=int, default=1000, metavar="B", help="random trials (default: 1000)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the random numbers, 0 or more (default: 0)"
    )
    add_columns(parser, *SCORE_COLUMNS)
    add_output(parser)


def read(args: argparse.Namespace) -> "Scores":
    """Read the scores, and warn if topics will be left out.

    Raise `InputError` for a negative seed. Also raise `InputError` if the file has too few systems, or too
    few topics in which every system has a value.
    """
    from ..comparison.subsets import complete_values
    from ..files import read_scores

    refuse_negative_seed(args.seed)
    scores = read_scores(args.scores, names_of(args.columns))
    if incomplete := [
        topic
        for place, topic in enumerate(scores.topics)
        if (scores.values[:, place] != scores.values[:, place]).any()
    ]:
        warn(f"topics left out because a system has no value: {len(incomplete)} ({', '.join(incomplete)})")
    try:
        complete_values(scores)
    except InputError as error:
        raise error.at(f"{args.scores}:1") from None
    return scores


def cell(value: float | None) -> str:
    """Return the number with four decimals, or `-` for None."""
    return "-" if value is None else f"{value:.4f}"

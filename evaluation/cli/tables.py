"""What the commands share whose results have several tables with intervals."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import InputError
from . import add_output, output, refuse_digits, refuse_negative_seed, write_table

if TYPE_CHECKING:
    from ..tabled import Tabled


def add_tables(parser: argparse.ArgumentParser, parts: Sequence[str], *, resamples: int) -> None:
    """Add the options of a command whose result has several tables with intervals. `parts` names the tables.

    `resamples` is the default number of samples of the topics.
    """
    parser.add_argument("--level", type=float, default=0.95, help="confidence level (default: .95)")
    parser.add_argument(
        "--resamples",
        type=int,
        default=resamples,
        metavar="B",
        help=f"bootstrap samples of the topics (default: {resamples})",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the random numbers, 0 or more (default: 0)"
    )
    parser.add_argument("--part", choices=parts, help="write this table alone")
    parser.add_argument(
        "--format",
        choices=("text", "tsv", "csv", "json"),
        default="text",
        help="csv and json have full precision (default: text)",
    )
    parser.add_argument("--digits", type=int, default=3, metavar="N", help="decimals (default: 3)")
    add_output(parser)


def refuse_table_options(args: argparse.Namespace) -> None:
    """Raise `InputError` for options of `add_tables` that cannot be.

    These are a negative seed or number of decimals, and a format for a single table without `--part`.
    """
    refuse_digits(args.digits, least=0)
    refuse_negative_seed(args.seed)
    if args.format in ("tsv", "csv") and args.part is None:
        raise InputError(
            "tables-without-part",
            "--format {format} is for a single table; choose it with --part",
            format=args.format,
        )


def write_tables(found: "Tabled", args: argparse.Namespace) -> None:
    """Write a result of several tables, or the one that `--part` names, as the options say."""
    if args.part is not None and args.format != "text":
        write_table(found.to_polars(args.part), args.output, args.format, args.digits)
        return
    with output(args.output) as out:
        if args.format == "json":
            out.write(found.to_json() + "\n")
        elif args.part is None:
            out.write(f"{found}\n")
        else:
            out.write(found.to_text(args.part, digits=args.digits).rstrip("\n") + "\n")

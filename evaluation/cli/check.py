"""The command `check`: say whether runs fit judgments."""

import argparse
import json
from functools import partial
from typing import get_args

from ..conventions import Negative
from . import add_choice, add_output, add_strict, output, warn_of
from .columns import QREL_COLUMNS, RUN_COLUMNS, add_columns, names_of

SUMMARY = "whether runs fit judgments, and what can make their scores misleading"
DETAILS = """Reads gains or qrels and TREC run files. Writes their sizes and the share of each run that is
judged, and warns of: topics and documents that are in one alone, with the likeliest cause if nothing is in
both (upper and lower case, zeros, prefixes, another collection), few judged documents, equal scores, and
ranks that contradict the scores. A document that a run retrieves twice for a topic is an error. The command
score gives the same warnings.

With --strict, the exit status is 1 if there is a warning.

  plumbline check qrels.txt runs/*
  plumbline check qrels.txt bm25.run --strict"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gains", metavar="QRELS", help="gains or qrels")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a different tag")
    add_columns(parser, *QREL_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)
    add_strict(parser)
    add_choice(parser, "--negative", get_args(Negative), "negative gains are an error, or count as 0")
    add_choice(parser, "--format", ("text", "json"), "json is a list of objects, one for each finding")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the notices. Raise `InputError` for unusable files and, with `--strict`, after a warning."""
    from ..files import read_gains, read_run
    from ..fit import check

    gains = read_gains(args.gains, args.negative, names_of(args.columns))
    notices = check(gains, [partial(read_run, path, names_of(args.run_columns)) for path in args.runs])
    with output(args.output) as out:
        if args.format == "json":
            out.write(json.dumps([notice.row() for notice in notices], indent=1) + "\n")
        else:
            out.writelines(f"{sentence}\n" for sentence in notices.facts.sentences())
    warn_of(notices, strict=args.strict)

"""The command `check`: say whether runs fit judgments."""

import argparse
import json
from dataclasses import asdict
from typing import get_args

from ..conventions import Negative
from ..errors import InputError
from . import add_choice, add_output, output

SUMMARY = "whether runs fit judgments, and what can make their scores misleading"
DETAILS = """Reads gains or qrels and TREC run files, and writes a line for each finding: topics and documents
that are in one alone, with the likeliest cause if nothing is in both (upper and lower case, zeros, prefixes,
another collection), how deep a run is, which share of it is judged, equal scores, and ranks that contradict
the scores. A document that a run retrieves twice for a topic is an error.

With --strict, the exit status is 1 if there is a warning.

  plumbline check qrels.txt runs/*
  plumbline check qrels.txt bm25.run --strict"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gains", metavar="QRELS", help="gains or qrels")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a different tag")
    parser.add_argument("--strict", action="store_true", help="fail if there is a warning")
    add_choice(parser, "--negative", get_args(Negative), "negative gains are an error, or count as 0")
    add_choice(parser, "--format", ("text", "json"), "json is a list of objects, one for each finding")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the findings. Raise `InputError` for unusable files and, with `--strict`, after a warning."""
    from ..files import read_gains, read_run
    from ..fit import check

    gains = read_gains(args.gains, negative=args.negative)
    fit = check(gains, [read_run(path) for path in args.runs])
    with output(args.output) as out:
        if args.format == "json":
            out.write(json.dumps([asdict(finding) for finding in fit.findings], indent=1) + "\n")
        else:
            out.writelines(f"{sentence}\n" for sentence in fit.sentences())
    if args.strict and fit.warnings:
        raise InputError(
            "strict-warnings",
            "--strict: {number} warnings; the first is: {first}",
            number=len(fit.warnings),
            first=str(fit.warnings[0]),
        )

"""The command `conformance`: check an evaluator against the specification of real-valued qrels."""

import argparse
import importlib
from typing import TYPE_CHECKING

from ..errors import InputError, shown
from . import NAME, add_choice, add_output, output

if TYPE_CHECKING:
    from ..conformance import Evaluator, Result

SUMMARY = "how well an evaluator follows the specification of real-valued qrels"
DETAILS = """Runs an evaluator on the files of the conformance suite and compares its values with the expected
ones. An evaluator is a Python function of the paths of a qrels file and a run, and a list of measures.
It returns {topic: {measure: value}}, and raises an exception for files that it rejects. It raises
NotImplementedError for a measure that it does not offer.

Prints how many rules each evaluator follows, and a line for each rule that it does not follow. The exit
status is 1 if an evaluator does not follow a rule of the level must.

  plumbline conformance
  plumbline conformance --with my_adapter:evaluate
  plumbline conformance --copy suite"""
OURS = f"{NAME}.conformance:plumbline"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--with",
        dest="evaluators",
        nargs="+",
        metavar="MODULE:FUNCTION",
        default=[OURS],
        help="the evaluators to check; modules can be in the current folder (default: this library)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-9,
        metavar="X",
        help="the largest difference of a right value; 5e-5 for a tool that prints four decimals"
        " (default: 1e-9)",
    )
    add_choice(parser, "--format", ("text", "json", "markdown"), "the format of the results")
    parser.add_argument(
        "--copy", metavar="FOLDER", help="check nothing, but copy the files of the suite into a new folder"
    )
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Check the evaluators, or copy the suite. Raise `InputError` if an evaluator breaks a “must” rule."""
    from ..conformance import check, copy_suite, reports

    if args.copy is not None:
        copy_suite(args.copy)
        return
    if not args.tolerance >= 0:
        raise InputError(
            "tolerance-negative",
            "--tolerance {tolerance} is out of bounds; give a number that is at least 0",
            tolerance=str(args.tolerance),
        )
    evaluators = dict(zip(short_names(args.evaluators), map(load_evaluator, args.evaluators), strict=True))
    results = [
        result
        for name, evaluator in evaluators.items()
        for result in check(evaluator, name, tolerance=args.tolerance)
    ]
    formats = {"text": reports.text, "json": reports.as_json, "markdown": reports.markdown}
    with output(args.output) as out:
        out.write(formats[args.format](results))
        out.flush()  # so that the results come before the error
    refuse_broken_musts(results)


def short_names(names: list[str]) -> list[str]:
    """Return the names without their modules, or unchanged if two functions have the same name."""
    short = [name.rpartition(":")[2] for name in names]
    return short if len(set(short)) == len(short) else names


def load_evaluator(name: str) -> "Evaluator":
    """Return the function that `MODULE:FUNCTION` names. Raise `InputError` if it cannot be imported."""
    module, _, function = name.partition(":")
    try:
        evaluator: Evaluator = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(
            "evaluator-not-found",
            "the evaluator {evaluator} cannot be imported ({reason}); write it as MODULE:FUNCTION",
            evaluator=shown(name),
            reason=str(error),
        ) from None
    return evaluator


def refuse_broken_musts(results: "list[Result]") -> None:
    """Raise `InputError` if an evaluator breaks a “must” rule."""
    from ..conformance.reports import by_evaluator, count

    broken = []
    for name, members in by_evaluator(results).items():
        followed, tested = count(members, "must")
        if followed < tested:
            broken.append(f"{name}: {tested - followed}")
    if broken:
        raise InputError(
            "rules-not-followed",
            "some “must” rules are not followed ({counts}); see docs/reference/float-qrels.md",
            counts=", ".join(broken),
        )

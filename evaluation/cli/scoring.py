"""Score runs as the options say. The commands `score` and `compare` share these options."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from ..conventions import Average, Design, Empty, Missing, Negative, Ties, Unjudged
from ..errors import InputError
from . import add_choice
from .columns import QREL_COLUMNS, RUN_COLUMNS, add_columns, names_of

if TYPE_CHECKING:
    from ..frames import Gains
    from ..runs import Run
    from ..score_table import Scores


def add_conventions(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how runs are read and scored."""
    parser.add_argument("--rel", metavar="QRELS", help="take relevance from this file, gains from GAINS")
    add_choice(parser, "--negative", get_args(Negative), "negative gains are an error, or count as 0")
    add_choice(
        parser,
        "--unjudged",
        get_args(Unjudged),
        "unjudged documents have gain 0, are removed, or have the median gain of the lowest grade in --rel",
    )
    add_choice(
        parser,
        "--ties",
        get_args(Ties),
        "order by score, as trec_eval 10 does; by score in 32 bits, as trec_eval 9; or by the rank column",
    )
    add_choice(
        parser,
        "--missing",
        get_args(Missing),
        "a judged topic that a run does not answer counts as 0, or is left out",
    )
    add_choice(
        parser, "--empty", get_args(Empty), "a topic without a relevant document is left out, or counts as 0"
    )
    add_choice(
        parser,
        "--average",
        get_args(Average),
        "for nCG, nDCG, AnCG, AnDCG, SR and MSR: the mean of the topics' values, or the ratio of the mean "
        "vectors",
    )
    parser.add_argument(
        "--depth", type=int, metavar="N", help="only the first N documents of each list count (default: all)"
    )
    add_sampling(parser)
    add_columns(parser, *QREL_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """Add the options for studies of which only a sample was judged."""
    parser.add_argument(
        "--inclusion",
        metavar="FILE",
        help="only a sample was judged: the documents and their chances, as sample writes them",
    )
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="with --inclusion, numbers that predict the gains of all documents: lines “topic 0 document "
        "number”",
    )
    add_choice(parser, "--design", get_args(Design), "with --inclusion, how the sample was drawn")


def scores_of(qrels: str, runs: Sequence[str], args: argparse.Namespace) -> "Scores":
    """Return the scores of the runs. Raise `InputError` for unusable files, measures or settings."""
    from ..scores import score

    return score(read_qrels(qrels, args), read_later(runs, args), args.measures, **conventions_of(args))


def read_qrels(qrels: str, args: argparse.Namespace) -> "Gains":
    """Return the gains of a file. Raise `InputError` for an unknown measure, before any file is read."""
    from ..files import read_gains
    from ..measures import parse, several

    for measure in several(args.measures):
        parse(str(measure))
    return read_gains(qrels, args.negative, names_of(args.columns))


def read_later(runs: Sequence[str], args: argparse.Namespace) -> list[Callable[[], "Run"]]:
    """Return functions that each read a run file, so that not all runs are in memory at once."""
    from ..files import read_run

    return [partial(read_run, path, names_of(args.run_columns)) for path in runs]


def conventions_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of `score` that the options give."""
    from ..files import read_gains

    columns = names_of(args.columns)
    names = ("unjudged", "ties", "missing", "empty", "average", "depth")
    rel = read_gains(args.rel, args.negative, columns) if args.rel else None
    conventions = {"rel": rel, **{name: getattr(args, name) for name in names}}
    return conventions | sampling_of(args)


def sampling_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of `score` for a sample. Raise `InputError` for its options without a sample."""
    from ..files import read_inclusion
    from ..files.ratings import read_ratings

    design, *_ = get_args(Design)
    if args.inclusion is None:
        if args.predictions or args.design != design:
            raise InputError(
                "options-of-samples",
                "--predictions and --design belong to a sample; give its documents and their chances with "
                "--inclusion",
            )
        return {}
    predictions = [read_ratings(path) for path in args.predictions]
    return {"inclusion": read_inclusion(args.inclusion), "predictions": predictions, "design": args.design}

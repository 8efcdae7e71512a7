"""The command `sample`: draw documents to judge, each with a known chance."""

import argparse
from typing import TYPE_CHECKING, get_args

from ..conventions import Design
from ..errors import InputError
from . import add_choice, add_output, output, refuse_negative_seed, warn
from .columns import RUN_COLUMNS, add_columns, names_of

if TYPE_CHECKING:
    from ..sampling import Sample

SUMMARY = "a sample of the documents to judge, each with a known chance"
DETAILS = """Reads run files in TREC's format. The pool has the documents that a run retrieves down to the
depth. Draws as many of them as the budget says: the more a document matters for the differences between the
runs, the larger its chance. Writes CSV with a row for each document of the pool and the columns topic_id,
document_id, inclusion, the chance with all its digits, and sampled, 1 for the documents to judge. Keep this
file: score and compare need it. The same runs, options and seed always give the same file.

Runs that come later can retrieve other documents. With --earlier, the documents that an earlier sample does
not have are drawn, and the budget is for these. The rows of the earlier sample stay as they are.

  plumbline sample runs/* --depth 10 --budget 300 --seed 1 -o sample.csv
  plumbline compare gains.txt runs/* -m DCG@10 --inclusion sample.csv
  plumbline sample runs/* new.run --depth 10 --budget 50 --seed 2 --earlier sample.csv -o both.csv"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a different tag")
    parser.add_argument(
        "--depth", type=int, metavar="N", required=True, help="pool the first N documents of each list"
    )
    parser.add_argument("--budget", type=int, metavar="B", required=True, help="the number of documents")
    parser.add_argument(
        "--measure", default="DCG@10", help="a measure that is linear in gains (default: DCG@10)"
    )
    add_choice(
        parser, "--pairs", ("all", "baseline"), "the differences that matter: of all pairs, or from one run"
    )
    parser.add_argument("--baseline", metavar="RUN", help="with --pairs baseline, the tag of this run")
    add_choice(
        parser,
        "--design",
        get_args(Design),
        "systematic draws exactly the budget, poisson each document on its own",
    )
    parser.add_argument(
        "--least", type=float, default=0.02, help="the smallest chance of a document (default: .02)"
    )
    parser.add_argument(
        "--always",
        metavar="FILE",
        help="gains or qrels whose documents are always in, such as anchors",
    )
    parser.add_argument("--earlier", metavar="FILE", help="an earlier sample of other runs, which stays")
    parser.add_argument(
        "--seed", type=int, required=True, metavar="S", help="seed of the random numbers, 0 or more"
    )
    add_columns(parser, *RUN_COLUMNS)
    add_output(parser)


def _earlier(args: argparse.Namespace) -> "Sample | None":
    """Return the earlier sample. Raise `InputError` if its file lacks the documents that were not sampled."""
    from ..files import read_inclusion
    from ..sampling import Sample

    if args.earlier is None:
        return None
    inclusion = read_inclusion(args.earlier)
    if not inclusion.is_whole:
        raise InputError(
            "earlier-sample-without-pool",
            "the file has no column sampled, so it is unknown which other documents had a chance; give the "
            "file "
            "that sample wrote",
            args.earlier,
        )
    return Sample(args.design, inclusion.table)


def run(args: argparse.Namespace) -> None:
    """Write the sampled documents. Raise `InputError` for unusable files or settings."""
    import numpy as np

    from ..files import read_gains, read_runs, write_inclusion
    from ..sampling import draw, influence, pool_of

    refuse_negative_seed(args.seed)
    pool = pool_of(read_runs(args.runs, names_of(args.run_columns)), args.depth)
    sample = draw(
        pool,
        influence(pool, args.measure, args.pairs, baseline=args.baseline),
        args.budget,
        rng=np.random.default_rng(args.seed),
        design=args.design,
        least=args.least,
        always=read_gains(args.always, negative="zero").table if args.always else None,
        earlier=(earlier := _earlier(args)),
    )
    if earlier is not None and len(sample.table) == len(earlier.table):
        warn("the earlier sample has every document of the pool, so nothing was drawn")
    with output(args.output) as out:
        write_inclusion(sample.table, out)

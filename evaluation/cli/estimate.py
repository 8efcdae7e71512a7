"""The command `estimate`: mean scores and their intervals from the gains of a sample."""

import argparse

from . import add_choice, add_output, refuse_digits, warn, write_table
from .columns import QREL_COLUMNS, RUN_COLUMNS, add_columns, names_of

SUMMARY = "mean scores with intervals, from the gains of a sample"
DETAILS = """Reads the gains of sampled documents, TREC run files, and the file that sample wrote for these
runs. Writes a line for each target, kind of evidence and run: target, evidence, run, topics, mean, low, high,
valid. The targets are new_topics, which are other topics of the same kind, and these_topics, with which the
interval only covers what the sample leaves open. The kinds of evidence are:

  predictions   the sampled gains, and calibrated predictions of all gains (with --predictions)
  people        the sampled gains alone
  filled        predictions, or 0, in place of the gains that are missing: biased, so not valid

With --baseline, writes the differences of the other runs from this run instead, with the columns target,
evidence, run, baseline, topics, mean, low, high, valid. The measure must be linear in gains: CG, DCG, RBP
or gP, with a cut-off. A document of a run that had no chance to be sampled makes the means wrong, so give
only runs that sample had.

  plumbline estimate gains.txt runs/* -m DCG@10 --inclusion sample.csv --baseline bm25"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gains", metavar="GAINS", help="the gains of the sampled documents")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a different tag")
    parser.add_argument("-m", "--measure", default="DCG@10", help="the measure (default: DCG@10)")
    parser.add_argument(
        "--inclusion", metavar="FILE", required=True, help="the sampled documents and their chances"
    )
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="numbers that predict the gains, for all documents: lines “topic 0 document number”",
    )
    add_choice(parser, "--design", ("systematic", "poisson"), "how the sample was drawn")
    parser.add_argument("--baseline", metavar="RUN", help="the run that the others are compared with")
    parser.add_argument(
        "--level", type=float, default=0.95, help="confidence level, between 0 and 1 (default: .95)"
    )
    add_choice(parser, "--format", ("tsv", "csv", "json"), "csv and json have names and full precision")
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals in tsv (default: 4)")
    add_columns(parser, *QREL_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the estimates. Raise `InputError` for unusable files or settings."""
    import polars as pl

    from ..comparison.system_intervals import TARGETS
    from ..files import read_gains, read_inclusion, read_runs
    from ..files.ratings import read_ratings
    from ..sampling import estimate

    refuse_digits(args.digits, least=0)
    result = estimate(
        read_gains(args.gains, columns=names_of(args.columns)),
        read_runs(args.runs, names_of(args.run_columns)),
        args.measure,
        read_inclusion(args.inclusion),
        predictions=[read_ratings(path) for path in args.predictions],
        design=args.design,
    )
    if args.baseline is None:
        rows = pl.concat(result.means(target, level=args.level) for target in TARGETS)
    else:
        others = [tag for tag in result.runs if tag != args.baseline] or [args.baseline]
        rows = pl.concat(
            result.difference(tag, args.baseline, target, level=args.level)
            for target in TARGETS
            for tag in others
        ).rename({"first": "run", "second": "baseline"})
    for _, notice in result.notices():
        warn(str(notice).removesuffix("."))
    write_table(rows, args.output, args.format, args.digits)

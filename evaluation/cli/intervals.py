"""The command `intervals`: confidence intervals of mean scores, without the bias of noisy judgments."""

import argparse
from typing import TYPE_CHECKING

from ..scales import default_methods, default_statistics
from . import (
    add_choice,
    add_output,
    add_scale,
    refuse_digits,
    refuse_negative_seed,
    warn,
    warn_of,
    write_table,
)
from .columns import JUDGMENT_COLUMNS, RUN_COLUMNS, add_columns, judgment_table, names_of

if TYPE_CHECKING:
    from ..magnitudes.normalisation import Method

SUMMARY = "intervals of mean scores, without the bias of noisy judgments"
DETAILS = """Reads judgments (CSV, as for normalise) and TREC run files, plain or compressed. Writes a line
for each target, measure and run: target, measure, run, topics, the observed mean, the mean without the bias
of noisy gains, and the ends of its interval. The targets are:

  new_topics     other topics, judged by other workers: how good the run is in general
  these_topics   the same topics, judged by other workers: how much the judgments leave open

With --baseline, writes the differences of the other runs from this run instead, with the columns
target, measure, run, baseline, topics, observed difference, difference without the bias, low, high.

  plumbline intervals --judgments judgments.csv --runs runs/* -m nDCG@10"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--judgments", metavar="FILE", required=True, help="the judgments, plain or compressed"
    )
    parser.add_argument("--runs", metavar="FILE", nargs="+", action="extend", required=True, help="run files")
    parser.add_argument(
        "-m", "--measures", metavar="MEASURE", nargs="+", action="extend", required=True, help="the measures"
    )
    add_scale(parser)
    parser.add_argument("--method", help=f"the method of normalise (default: {default_methods()})")
    parser.add_argument(
        "--statistic",
        choices=("median", "gmean", "mean", "worth", "chance"),
        help=f"what the gain of a document is (default: {default_statistics()})",
    )
    parser.add_argument(
        "--adaptive",
        action="store_true",
        help="the study was adaptive: normalise with additive, and warn about the intervals",
    )
    parser.add_argument("--baseline", metavar="RUN", help="the run that the others are compared with")
    parser.add_argument(
        "--level", type=float, default=0.95, help="confidence level, between 0 and 1 (default: .95)"
    )
    parser.add_argument(
        "--resamples", type=int, default=1000, metavar="B", help="resamples of the workers (default: 1000)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the random numbers, 0 or more (default: 0)"
    )
    add_choice(parser, "--format", ("tsv", "csv", "json"), "csv and json have names and full precision")
    parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals in tsv (default: 4)")
    add_columns(parser, *JUDGMENT_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the intervals. Raise `InputError` for unusable files or settings."""
    import numpy as np
    import polars as pl

    from ..comparison.system_intervals import TARGETS, SystemIntervals, system_intervals
    from ..files import read_runs
    from ..frames import Judgments
    from ..magnitudes import gains, normalise
    from ..measures import parse
    from ..report.catalogue import ADAPTIVE
    from ..scores import score

    refuse_digits(args.digits, least=0)
    for measure in args.measures:
        parse(measure)  # a typo is reported before any file is read
    refuse_negative_seed(args.seed)
    table = judgment_table(args.judgments, args.columns)
    judgments = Judgments(table, gold=table.has_anchors, scale=args.scale)
    runs = read_runs(args.runs, names_of(args.run_columns))
    method: Method | None = args.method or ("additive" if args.adaptive else None)
    scores = score(gains(judgments, normalise(judgments, method), args.statistic), runs, args.measures)
    results = system_intervals(
        judgments,
        runs,
        args.measures,
        method=method,
        statistic=args.statistic,
        rng=np.random.default_rng(args.seed),
        resamples=args.resamples,
    )

    def rows_of(result: SystemIntervals) -> pl.DataFrame:
        if args.baseline is None:
            return pl.concat(result.means(target, level=args.level) for target in TARGETS)
        others = [run for run in result.runs if run != args.baseline] or [args.baseline]
        return pl.concat(
            result.difference(run, args.baseline, target, level=args.level)
            for target in TARGETS
            for run in others
        ).rename({"first": "run", "second": "baseline"})

    rows = pl.concat(
        rows_of(result).select("target", pl.lit(measure).alias("measure"), pl.exclude("target"))
        for measure, result in results.items()
    )
    warn_of(scores.notices)
    if args.adaptive:
        warn(str(ADAPTIVE).removesuffix("."))
    for notice in dict.fromkeys(notice for result in results.values() for _, notice in result.notices()):
        warn(str(notice).removesuffix("."))
    write_table(rows, args.output, args.format, args.digits)

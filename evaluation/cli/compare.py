"""The command `compare`: which runs are better, and how sure that is."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, get_args

from ..conventions import RESAMPLES, Correction, Family, Interval, PairTest, Statistic
from ..errors import InputError
from ..scales import DEFAULT, default_methods, default_statistics
from . import (
    add_choice,
    add_output,
    add_scale,
    add_strict,
    output,
    refuse_digits,
    refuse_negative_seed,
    warn_of,
    write_table,
)
from .columns import judgment_table, names_of
from .scoring import add_conventions, conventions_of, read_later, read_qrels

if TYPE_CHECKING:
    from ..comparison.report import Comparison
    from ..frames import Judgments

SUMMARY = "runs compared: means with intervals, tests of pairs and of all runs, top sets, rank correlations"
DETAILS = """Reads gains or qrels and run files, as score does, or a file of per-topic scores alone. With
--judgments, all other files are runs: the gains are computed from the judgments, as normalise and gains do,
and the means are corrected for the noise of the judgments. Writes:

  result        by the first measure: which run is best in one sentence, the runs that cannot be told from it,
  means,
                differences and p; with --format json, everything that is known, for summary.json
  means         the mean of each run with its interval, and marks for what the tests say
  estimates     with --inclusion: the means for new topics and these topics, from predictions and people, from
                people alone, and with the gaps filled, which is not valid
  overall       tests of all runs together: Friedman's test with --tests conover, the analysis of variance
                with --tests tukey
  pairs         each comparison of two runs: difference, statistic, p, adjusted p, effect size
  correlations  how alike two measures rank the runs
  top_sets      for each measure, the runs that the best run is not shown to beat

--part writes one of these tables alone, also as tsv, csv, json, latex, markdown or html. Without it, text
shows all but the pairs, and the sentence of each measure.

  plumbline compare gains.txt runs/* -m nDCG@10 AP
  plumbline compare gains.txt runs/* -m nDCG@10 --baseline bm25 --tests wilcoxon paired_t
  plumbline compare scores.tsv --tests tukey conover --part pairs --format csv
  plumbline compare gains.txt runs/* -m nDCG@10 AP --part correlations --format latex
  plumbline compare gains.txt runs/* -m DCG@10 --inclusion sample.csv --predictions model.txt"""
PARTS: Final = ("result", "means", "estimates", "overall", "pairs", "correlations", "top_sets")
TEXTS: Final = ("latex", "markdown", "html")
"""The formats for people, besides the text of a terminal."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="gains or qrels, then runs; or only per-topic scores",
    )
    parser.add_argument(
        "-m", "--measures", metavar="MEASURE", nargs="+", action="extend", help="measures, such as nDCG@10"
    )
    parser.add_argument("--baseline", metavar="RUN", help="compare all other runs with this one")
    parser.add_argument(
        "--tests",
        nargs="+",
        choices=get_args(PairTest),
        default=("wilcoxon",),
        metavar="TEST",
        help=f"tests of pairs: {', '.join(get_args(PairTest))} (default: wilcoxon)",
    )
    add_choice(parser, "--correction", get_args(Correction), "the adjustment of p for several comparisons")
    add_choice(parser, "--family", get_args(Family), "the comparisons that are adjusted together")
    parser.add_argument("--alpha", type=float, default=0.05, help="significance level (default: .05)")
    add_choice(parser, "--interval", get_args(Interval), "the kind of interval of a mean")
    parser.add_argument("--level", type=float, default=0.95, help="confidence level (default: .95)")
    parser.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        metavar="B",
        help=f"bootstrap samples (default: {RESAMPLES})",
    )
    parser.add_argument(
        "--flips", type=int, default=10_000, metavar="B", help="sign flips of randomisation (default: 10000)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the random numbers, 0 or more (default: 0)"
    )
    parser.add_argument("--statistic", default="tau_b", help="the rank correlation (default: tau_b)")
    parser.add_argument("--part", choices=PARTS, help="write this table alone")
    add_choice(parser, "--format", ("text", "tsv", "csv", "json", *TEXTS), "csv and json have full precision")
    parser.add_argument("--digits", type=int, default=3, metavar="N", help="decimals (default: 3)")
    parser.add_argument(
        "--judgments", metavar="FILE", help="compute the gains from these judgments; all other files are runs"
    )
    parser.add_argument("--method", help=f"the method of normalise (default: {default_methods()})")
    parser.add_argument(
        "--gain",
        choices=get_args(Statistic),
        help=f"what the gain of a document is (default: {default_statistics()})",
    )
    add_scale(parser, "what the numbers of the judgments are")
    add_conventions(parser)
    add_strict(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the comparison. Raise `InputError` for unusable files, measures or settings."""
    from ..comparison.report import compare

    refuse_digits(args.digits, least=0)
    refuse_negative_seed(args.seed)
    if args.format != "text" and args.part is None:
        raise InputError(
            "format-without-part",
            "--format {format} is for a single table; choose it with --part, as in --part means",
            format=args.format,
        )
    comparison = compare(
        *_sources(args),
        baseline=args.baseline,
        correction=args.correction,
        tests=args.tests,
        family=args.family,
        alpha=args.alpha,
        interval=args.interval,
        level=args.level,
        resamples=args.resamples,
        flips=args.flips,
        seed=args.seed,
        statistic=args.statistic,
        method=args.method,
        gain=args.gain,
        **(conventions_of(args) if args.measures else {}),
    )
    warn_of(comparison.scores.notices.further, strict=args.strict)
    _write(comparison, args)


def _sources(args: argparse.Namespace) -> tuple[Any, Any, Any]:
    """Return the first arguments of `compare`: scores, or else gains or judgments, runs and measures."""
    from ..files import read_scores
    from ..files.runs import read_runs

    _refuse_settings(args)
    if args.part == "estimates" and args.inclusion is None:
        raise InputError(
            "estimates-without-sample",
            "--part estimates shows what a sample says; give its documents and their chances with "
            "--inclusion",
        )
    if args.inclusion is not None and not args.measures:
        raise InputError(
            "sample-without-measures",
            "--inclusion needs gains or judgments, runs and -m with measures; scores alone do not have the "
            "gains",
        )
    if args.judgments is not None and args.measures:
        return _judgments(args), read_runs(args.files, names_of(args.run_columns)), args.measures
    if args.judgments is None and len(args.files) > 1 and args.measures:
        return read_qrels(args.files[0], args), read_later(args.files[1:], args), args.measures
    if args.judgments is None and len(args.files) == 1 and not args.measures:
        return read_scores(args.files[0], names_of(args.columns)), None, None
    raise InputError(
        "nothing-to-compare-here",
        "give gains or qrels, two or more runs and -m with measures, or a file of per-topic scores alone",
    )


def _refuse_settings(args: argparse.Namespace) -> None:
    """Raise `InputError` for options of judgments without judgments, and for an unknown method."""
    from ..magnitudes.normalisation import refuse_other_methods

    if args.method is not None:
        refuse_other_methods(args.method, args.scale)
    if args.judgments is None and (args.method, args.gain, args.scale) != (None, None, DEFAULT):
        raise InputError(
            "options-of-judgments",
            "--method, --gain and --scale say how to read judgments; give the judgments with --judgments",
        )


def _judgments(args: argparse.Namespace) -> "Judgments":
    from ..frames import Judgments
    from ..measures import parse, several

    for measure in several(args.measures):
        parse(str(measure))
    table = judgment_table(args.judgments, args.columns)
    return Judgments(table, gold=table.has_anchors, scale=args.scale)


def _write(comparison: "Comparison", args: argparse.Namespace) -> None:
    if args.part == "result" and args.format == "json":
        with output(args.output) as out:
            out.write(comparison.result().to_json() + "\n")
        return
    if args.format in ("tsv", "csv", "json"):
        write_table(comparison.to_polars(args.part), args.output, args.format, args.digits)
        return
    with output(args.output) as out:
        if args.part is None:
            out.write(f"{comparison}\n")
        else:
            text: dict[str, Callable[..., str]] = {
                "text": comparison.to_text,
                "latex": comparison.to_latex,
                "markdown": comparison.to_markdown,
                "html": comparison.to_html,
            }
            out.write(text[args.format](args.part, digits=args.digits).rstrip("\n") + "\n")

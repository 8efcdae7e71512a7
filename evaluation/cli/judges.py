"""The command `judges`: how good the labels of a model are, beside the judgments of people."""

import argparse
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..scales import default_methods
from . import add_choice, add_scale
from .columns import JUDGMENT_COLUMNS, RUN_COLUMNS, add_columns, judgment_table, names_of
from .labelling import add_labels, read_label_sets
from .tables import add_tables, refuse_table_options, write_tables

if TYPE_CHECKING:
    import polars as pl

    from ..sources import Source

SUMMARY = "labels of models beside the judgments of people: agreement, bias, rankings of runs, and worth"
DETAILS = """Reads gains or qrels of people, or with --judgments their judgments, and sets of labels of the
same documents: qrels, or CSV, TSV or JSONL with named columns. Writes:

  agreement    weighted kappa, Krippendorff's alpha, and tau_b and AUC of the documents of a topic
  worth        the share of the variance of gains within topics that the labels explain, and the number of
               judgments that they save
  systems      with --runs: tau_b with the ranking of the runs by people, the overlap of the top sets and,
               with --inclusion, whether the labels make the intervals smaller
  favour       with --family: by how much a judge favours the runs of its own family
  annotators   with --judgments: the alternative annotator test
  followers    with --judgments: workers whose numbers follow the labels more than those of others do
  spread       the spread of labels beside that of gains; for magnitudes, the exponent
  bias         by how much labels are too high, by grade and by the columns of --documents
  calibration  the mean gain of the documents with each label

Sentences above say what follows. Anchors are left out. --part writes one table alone, also as tsv, csv or
json; --format json without --part writes everything.

  plumbline judges human.qrels --labels umbrela=umbrela.qrels mine=mine.jsonl
  plumbline judges human.qrels --labels a=a.qrels --runs runs/* -m nDCG@10 --family my-run=a
  plumbline judges --judgments judgments.csv --labels a=a.csv --part annotators"""
PARTS: Final = (
    "agreement",
    "worth",
    "systems",
    "favour",
    "annotators",
    "followers",
    "spread",
    "bias",
    "calibration",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("people", metavar="GAINS", nargs="?", help="gains or qrels of people")
    parser.add_argument("--judgments", metavar="FILE", help="the judgments of people, in place of gains")
    add_labels(parser, required=True)
    parser.add_argument("--runs", metavar="FILE", nargs="+", action="extend", help="run files")
    parser.add_argument("-m", "--measure", default="nDCG@10", help="the measure (default: nDCG@10)")
    parser.add_argument(
        "--documents", metavar="FILE", help="CSV with document_id, and columns by which bias is grouped"
    )
    parser.add_argument("--rel", type=float, metavar="GAIN", help="the lowest relevant gain, for AUC")
    add_choice(parser, "--weights", ("quadratic", "linear", "none"), "the weights of kappa")
    parser.add_argument(
        "--epsilon",
        type=float,
        default=0.1,
        help="what a judge may be worse than a worker, because it costs less (default: .1)",
    )
    parser.add_argument(
        "--inclusion",
        metavar="FILE",
        help="only a sample was judged: the documents and their chances, as sample writes them",
    )
    parser.add_argument("--method", help=f"the method of normalise (default: {default_methods()})")
    add_scale(parser, "what the numbers of the judgments are")
    add_tables(parser, PARTS, resamples=999)
    add_columns(parser, *JUDGMENT_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)


def run(args: argparse.Namespace) -> None:
    """Write the comparison. Raise `InputError` for unusable files, measures or settings."""
    from ..files import read_inclusion
    from ..files.runs import read_runs
    from ..judges import assess

    refuse_table_options(args)
    found = assess(
        _people(args),
        read_label_sets(args),
        read_runs(args.runs, names_of(args.run_columns)) if args.runs else None,
        args.measure,
        families=dict(args.family),
        documents=_documents(args.documents) if args.documents else None,
        rel=args.rel,
        weights=args.weights,
        epsilon=args.epsilon,
        inclusion=read_inclusion(args.inclusion) if args.inclusion else None,
        method=args.method,
        level=args.level,
        resamples=args.resamples,
        seed=args.seed,
    )
    write_tables(found, args)


def _people(args: argparse.Namespace) -> "Source":
    from ..files import read_gains
    from ..frames import Judgments

    if (args.people is None) == (args.judgments is None):
        raise InputError("judges-without-people", "give either a file of gains, or --judgments and a file")
    if args.people is not None:
        return read_gains(args.people)
    table = judgment_table(args.judgments, args.columns)
    return Judgments(table, gold=table.has_anchors, scale=args.scale)


def _documents(path: str) -> "pl.DataFrame":
    """Return the columns of a file. A column of which all cells are numbers or empty has numbers."""
    import polars as pl

    from ..parsing.judgment_table import read_table

    table = read_table(path)
    columns = []
    for name in table.header:
        cells = table.column(name)
        cells = cells.set(cells == "", None)
        numbers = cells.cast(pl.Float64, strict=False)
        is_id = name in ("topic_id", "document_id")
        columns.append(cells if is_id or numbers.null_count() > cells.null_count() else numbers)
    return pl.DataFrame(columns)

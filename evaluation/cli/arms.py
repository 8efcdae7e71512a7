"""The command `arms`: judgments of the same documents on several scales, side by side."""

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..conventions import RESAMPLES
from ..errors import InputError, shown
from ..scales import DEFAULT, scale_names
from .columns import JUDGMENT_COLUMNS, RUN_COLUMNS, add_columns, judgment_table, names_of, pair
from .tables import add_tables, refuse_table_options, write_tables

if TYPE_CHECKING:
    from ..parsing.judgment_table import JudgmentTable
    from ..side_by_side import Arm

SUMMARY = "judgments on several scales side by side: cost, agreement, power and rankings of runs"
DETAILS = """Reads judgments of the same documents on several scales, or by several rules: a file for each
arm, or one file with --by, in which a column names the arm of each row. Writes:

  cost       units, documents and judgments, and with --paid the cost of each
  agreement  Krippendorff's alpha within each arm, at the level of its scale, with an interval over workers
  between    how alike two arms order the documents: tau_b, rho, and the share of pairs in the same order
  power      the share of pairs of runs that each arm tells apart, and at the same cost as the others
  ranking    the mean of each run by each arm, and whether the run can be told from the best
  rankings   the correlation of two arms' rankings of the runs, and the overlap of their top sets

Sentences above say what follows. No arm is called better where intervals overlap. --part writes one table
alone, also as tsv, csv or json; --format json without --part writes everything.

  plumbline arms --judgments S4=s4.csv ME=magnitudes.csv --scale S4=rating --runs runs/* -m nDCG@10
  plumbline arms --judgments all.csv --by relevance_scale --scale S4=rating S100=rating --runs runs/*
  plumbline arms --judgments a=a.csv b=b.csv --paid a=120.00 b=96.50 --runs runs/* --part power"""
PARTS: Final = ("cost", "agreement", "between", "power", "ranking", "rankings")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--judgments",
        metavar="NAME=FILE",
        nargs="+",
        required=True,
        help="the judgments of each arm, or one FILE with --by",
    )
    parser.add_argument("--by", metavar="COLUMN", help="the column that names the arm, as in relevance_scale")
    parser.add_argument(
        "--scale",
        type=pair,
        nargs="+",
        default=(),
        metavar="NAME=SCALE",
        help=f"the scale of an arm: {', '.join(scale_names())} (default: {DEFAULT})",
    )
    parser.add_argument(
        "--paid",
        type=pair,
        nargs="+",
        default=(),
        metavar="NAME=AMOUNT",
        help="what an arm cost in total; without it, equally many judgments are the same cost",
    )
    parser.add_argument("--runs", metavar="FILE", nargs="+", action="extend", help="run files")
    parser.add_argument("-m", "--measure", default="nDCG@10", help="the measure (default: nDCG@10)")
    parser.add_argument("--alpha", type=float, default=0.05, help="significance level (default: .05)")
    parser.add_argument(
        "--draws", type=int, default=100, metavar="B", help="draws of units at the same cost (default: 100)"
    )
    add_tables(parser, PARTS, resamples=RESAMPLES)
    add_columns(parser, *JUDGMENT_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)


def run(args: argparse.Namespace) -> None:
    """Write the comparison. Raise `InputError` for unusable files, measures or settings."""
    from ..files.runs import read_runs
    from ..side_by_side import compare_arms

    refuse_table_options(args)
    arms = list(_arms(args))
    runs = read_runs(args.runs, names_of(args.run_columns)) if args.runs else None
    compared = compare_arms(
        arms,
        runs,
        args.measure,
        alpha=args.alpha,
        level=args.level,
        draws=args.draws,
        resamples=args.resamples,
        seed=args.seed,
    )
    write_tables(compared, args)


def _arms(args: argparse.Namespace) -> "Iterator[Arm]":
    from ..frames import Judgments
    from ..side_by_side import Arm, Work

    tables = _split(args) if args.by else _read(args)
    scales = _named(args.scale, tables, "--scale")
    paid = _named(args.paid, tables, "--paid")
    for name, table in tables.items():
        scale = scales.get(name, DEFAULT)
        if scale not in scale_names():
            raise InputError(
                "arm-on-unknown-scale",
                "--scale: the scale {scale} of {arm} is unknown; choose from {known}",
                scale=shown(scale),
                arm=shown(name),
                known=", ".join(scale_names()),
            )
        judgments = Judgments(table, gold=table.has_anchors, scale=scale)
        yield Arm(name, judgments, Work(paid=_amount(name, paid[name]) if name in paid else None))


def _read(args: argparse.Namespace) -> "dict[str, JudgmentTable]":
    tables: dict[str, JudgmentTable] = {}
    for text in args.judgments:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise InputError(
                "arm-without-name",
                "--judgments: {word} is not an arm and its file; write NAME=FILE, or use --by",
                word=shown(text),
            )
        if name in tables:
            raise InputError(
                "arm-given-twice", "--judgments: the arm {arm} is given twice; give it once", arm=shown(name)
            )
        tables[name] = judgment_table(path, args.columns)
    return tables


def _split(args: argparse.Namespace) -> "dict[str, JudgmentTable]":
    """Return the rows of one file by the values of a column, in the order of their first rows."""
    from ..files.judgment_layouts import JudgmentLayout, arranged
    from ..parsing.judgment_table import read_table

    if len(args.judgments) > 1:
        raise InputError("several-files-by-column", "--by splits one file; give --judgments a single file")
    table = read_table(args.judgments[0])
    names = [name for name in dict.fromkeys(table.column(args.by)) if name.strip()]
    columns = dict(args.columns)
    return {name: arranged(table, JudgmentLayout(columns, {args.by: name})) for name in names}


def _named(pairs: Sequence[tuple[str, str]], arms: "dict[str, JudgmentTable]", option: str) -> dict[str, str]:
    for name, _ in pairs:
        if name not in arms:
            raise InputError(
                "option-of-unknown-arm",
                "{option}: there is no arm {arm}; the arms are {known}",
                option=option,
                arm=shown(name),
                known=", ".join(map(shown, arms)),
            )
    return dict(pairs)


def _amount(arm: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            "amount-of-arm-not-a-number",
            "--paid: {amount} is not an amount for {arm}; write a number such as 120.00",
            amount=shown(text),
            arm=shown(arm),
        ) from None

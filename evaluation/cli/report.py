"""The command `report`: every analysis of a study, from its files."""

import argparse
import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ..arguments import refuse_amount
from ..conventions import Statistic
from ..errors import InputError, shown
from ..papers.catalogue import PAPERS
from ..scales import default_methods, default_statistics
from ..verdicts import VERDICTS
from . import add_scale, warn
from .columns import JUDGMENT_COLUMNS, RUN_COLUMNS, add_columns, judgment_table, names_of
from .labelling import add_labels, read_label_sets
from .scoring import add_sampling, sampling_of

if TYPE_CHECKING:
    import polars as pl

    from ..frames import Gains
    from ..parsing.judgment_table import JudgmentTable
    from ..report import Input, ReportData
    from ..runs import Run

SUMMARY = "every analysis of a study, as HTML, PDF, LaTeX and CSV"
DETAILS = """Reads judgments (CSV, as for normalise), known grades (qrels: topic 0 document grade)
and TREC run files, plain or compressed. Writes the analyses of Turpin et al. (SIGIR 2015) and of
four other papers to a folder: index.html and report.pdf to read, methods.txt to paste into a paper,
summary.json with the answer, tables as .csv and .tex, figures as .svg and .pdf. Without grades,
runs or anchors, the report has the parts that it can, and says what is missing. Needs matplotlib
and typst: pip install 'plumbline-ir[report]'

  plumbline report --judgments judgments.csv --grades qrels.txt --runs runs/* -o report
  plumbline report --judgments judgments.csv -o report
  plumbline report --judgments judgments.csv --labels umbrela=umbrela.qrels -o report

The column gold marks the anchors: H, N or empty. The column comment has the workers' justifications.
The name of a set of grades is the name of its file, without what follows the first dot. A set
with at most two different grades has binary judgments. If a set has three or more different grades,
and all are 0, 1, 2 or 3, they stand for N, M, R and H."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--judgments", metavar="FILE", required=True, help="the judgments, plain or compressed"
    )
    parser.add_argument(
        "--grades",
        "--gains",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="sets of known grades or gains to compare with, each in a file of its own",
    )
    parser.add_argument(
        "--runs", metavar="FILE", nargs="+", action="extend", default=[], help="run files with different tags"
    )
    parser.add_argument(
        "--verdicts",
        metavar="FILE",
        help="verdicts on disagreements: CSV with the columns topic_id, document_id, verdict "
        f"({', '.join(VERDICTS)}) and, with several sets of grades, grades",
    )
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        action="extend",
        help="measures to compare systems by (default: nDCG@10 'ERR(gmax=\"topic\")@10')",
    )
    add_scale(parser)
    parser.add_argument("--method", help=f"the method of normalise (default: {default_methods()})")
    parser.add_argument(
        "--adaptive",
        action="store_true",
        help="the study was adaptive: normalise with additive, and take the intervals of gains from all "
        "documents of a topic",
    )
    parser.add_argument(
        "--statistic",
        choices=get_args(Statistic),
        help=f"what the gain of a document is (default: {default_statistics()})",
    )
    parser.add_argument("--baseline", metavar="RUN", help="the run that all others are compared with")
    add_sampling(parser)
    add_labels(parser, required=False)
    parser.add_argument(
        "--title", metavar="TEXT", help="the title of the study (default: the name of the file)"
    )
    parser.add_argument("--pay", type=float, metavar="AMOUNT", help="the reward for a unit, for the cost")
    parser.add_argument(
        "--fee",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="the platform's fee as a share of the pay (default: 0)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the random numbers (default: 0)"
    )
    parser.add_argument(
        "--resamples", type=int, default=2000, metavar="B", help="bootstrap samples of topics (default: 2000)"
    )
    parser.add_argument(
        "--draws",
        type=int,
        default=1000,
        metavar="N",
        help="draws of magnitudes, trials of subsets, resamples of a document's judgments (default: 1000)",
    )
    parser.add_argument(
        "--parts", metavar="PART", nargs="+", action="extend", help="only these parts, such as means and tau"
    )
    parser.add_argument(
        "--paper",
        choices=tuple(PAPERS),
        help="the numbered tables and figures of this paper, instead of the analyses of the study",
    )
    parser.add_argument(
        "--fonts", metavar="FOLDER", help="fonts for letters of report.pdf that DejaVu lacks, such as Thai"
    )
    add_columns(parser, *JUDGMENT_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="the folder to write to")


def run(args: argparse.Namespace) -> None:
    """Write the report. Raise `InputError` for unusable files or settings."""
    from ..measures import parse
    from ..sampling.linear import LinearMeasure

    for measure in args.measures or ():
        parse(measure)  # a typo is reported before any file is read
        if args.inclusion is not None:
            LinearMeasure.of(measure)
    for name in ("resamples", "draws"):
        if getattr(args, name) < 1:
            raise InputError(
                "too-few-draws-of-report",
                "--{option} {number} is too small; give 1 or more",
                option=name,
                number=getattr(args, name),
            )
    _refuse_settings(args)
    _refuse_missing_packages()
    from ..papers import build_paper
    from ..report import build_report, write_report
    from ..report.pdf import fonts_in
    from ..report.writing import refuse_other_folders

    refuse_other_folders(Path(args.output))
    if args.fonts is not None:
        fonts_in(args.fonts)  # a folder without fonts is reported before anything is computed
    data = _data(args)
    report = (
        build_paper(data, args.paper, only=args.parts) if args.paper else build_report(data, only=args.parts)
    )
    try:
        files = write_report(report, args.output, fonts=args.fonts)
    except OSError as error:
        raise InputError(
            "folder-unwritable",
            "the folder cannot be written ({reason}); check its path and permissions",
            args.output,
            reason=error.strerror or str(error),
        ) from None
    found = sum(map(bool, report.finished))
    print(f"{args.output}: {found} of {len(report.finished)} parts, {len(files)} files")
    for title, reason in report.missing:
        warn(f"{title}: {reason}")


def _refuse_settings(args: argparse.Namespace) -> None:
    from ..magnitudes.normalisation import refuse_other_methods

    if args.method is not None:
        refuse_other_methods(args.method, args.scale)
    for name in ("pay", "fee"):
        if (amount := getattr(args, name)) is not None:
            refuse_amount(f"--{name}", amount)
    if args.fee and args.pay is None:
        raise InputError("fee-without-pay", "--fee needs the pay for a unit; give it with --pay")


def _refuse_missing_packages() -> None:
    for package in ("fontTools", "matplotlib", "typst"):
        if find_spec(package) is None:
            raise InputError(
                "report-without-package",
                "the report needs the package {package}; run pip install 'plumbline-ir[report]'",
                package=package,
            )


def _data(args: argparse.Namespace) -> "ReportData":
    from ..files.runs import read_runs
    from ..files.verdicts import read_verdicts
    from ..frames import Judgments
    from ..report import Parameters, ReportData
    from ..sampling import Sampling

    table = judgment_table(args.judgments, args.columns)
    judgments = Judgments(table, gold=table.has_anchors, scale=args.scale)
    known = _known(args.grades)
    runs = read_runs(args.runs, names_of(args.run_columns))
    inputs = [_input(args.judgments, "judgments", len(table.rows))]
    inputs += [
        _input(path, "grades", len(grades.table))
        for path, grades in zip(args.grades, known.values(), strict=True)
    ]
    inputs += [
        _input(path, f"run {run.tag}", len(run.table)) for path, run in zip(args.runs, runs, strict=True)
    ]
    labels = read_label_sets(args)
    inputs += [_input(path, f"labels of {name}", len(labels[name].table)) for name, path in args.labels]
    verdicts = None if args.verdicts is None else read_verdicts(args.verdicts)
    if verdicts is not None:
        inputs.append(_input(args.verdicts, "verdicts", len(verdicts)))
    choices = Parameters(
        measures=tuple(dict.fromkeys(args.measures or _default_measures(args))),
        seed=args.seed,
        resamples=args.resamples,
        document_resamples=args.draws,
        draws=args.draws,
        trials=args.draws,
    )
    return ReportData(
        title=args.title or Path(args.judgments).name.partition(".")[0],
        judgments=judgments,
        known=known,
        runs=runs,
        method=args.method or ("additive" if args.adaptive else None),
        is_adaptive=args.adaptive,
        statistic=args.statistic,
        comments=_comments(table),
        baseline=_baseline(args, runs),
        verdicts=verdicts,
        pay=args.pay,
        fee=args.fee,
        inputs=inputs,
        parameters=choices,
        labels=labels,
        families=dict(args.family),
        sampling=Sampling(**given) if (given := sampling_of(args)) else None,
    )


def _default_measures(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the measures if none are given: for a sample, those that it can estimate."""
    from ..report.parts import MEASURES, SAMPLED_MEASURES

    return MEASURES if args.inclusion is None else SAMPLED_MEASURES


def _baseline(args: argparse.Namespace, runs: "Sequence[Run]") -> str | None:
    tags = [run.tag for run in runs]
    if args.baseline is not None and args.baseline not in tags:
        raise InputError(
            "unknown-baseline",
            "the baseline {baseline} is not one of the runs; choose from {known}",
            baseline=shown(args.baseline),
            known=", ".join(tags),
        )
    return str(args.baseline) if args.baseline is not None else None


def _known(paths: list[str]) -> dict[str, "Gains"]:
    from ..files import read_gains

    known: dict[str, Gains] = {}
    for path in paths:
        name = Path(path).name.partition(".")[0] or Path(path).name
        if name in known or name in ("medians", "magnitudes"):
            raise InputError(
                "grades-name-twice",
                "the file name gives these grades the name {name}, which is already in use; rename the file",
                path,
                name=shown(name),
            )
        known[name] = read_gains(path)
    return known


def _comments(table: "JudgmentTable") -> "pl.DataFrame | None":
    import polars as pl

    if "comment" not in table.header:
        return None
    return pl.DataFrame([table.column(name) for name in ("topic_id", "document_id", "comment")])


def _input(path: str, what: str, rows: int) -> "Input":
    from ..report import Input

    with Path(path).open("rb") as file:
        return Input(Path(path).name, what, rows, hashlib.file_digest(file, "sha256").hexdigest())

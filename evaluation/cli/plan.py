"""The command `plan`: how many topics and judgments a study needs."""

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import InputError, shown
from . import add_choice, add_output, add_scale, refuse_digits, refuse_negative_seed, warn, write_table
from .columns import JUDGMENT_COLUMNS, RUN_COLUMNS, add_columns, judgment_table, names_of

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from ..planning import Pilot, Terms

SUMMARY = "how many topics and judgments a study needs, from a pilot or from assumptions"
DETAILS = """Predicts the results of studies with each combination of --topics and --judgments. JUDGMENTS.csv
has the judgments of a pilot, in at least the columns topic_id, unit_id, document_id, relevance_score. The
column gold marks the anchors. --runs adds the runs of the pilot. Without JUDGMENTS.csv, the command
simulates a pilot under the assumptions of --crowd, --noise, --documents and --systems. It writes a line
for each combination:

  topics, judgments per document, units, cost, hours, factor, tau, from, to, tau to a second study,
  from, to, tau to many topics, from, to, power

factor: a 95 % interval of a document's gain reaches from gain / factor to gain * factor.
  On scales without ratios, the column has the margin instead: from gain - margin to gain + margin.
tau: Kendall's tau_b between the rankings of the systems by the study and by the true gains of the same
  topics: the mean of many simulated studies, and the range of 90 % of them.
tau to a second study: tau_b between the rankings by two independent studies of the same topics.
tau to many topics: tau_b between the rankings by the study and by the true gains of very many topics.
power: the chance that a t-test over topics (alpha .05) finds a difference of --difference.

With --tau, --factor, --margin or --power, the command writes only the combinations that reach these
values. Those with the fewest units come first. --margin is for scales without ratios.

With --shares, the command compares ways to spend a budget. It writes a line for each number of topics, way,
share of documents that are judged, and number of judgments for each of them:

  way, explained, topics, share, judgments, units, cost, hours, half-width, half-width for new
  topics, tau, power, power for new topics

way: fixed (all documents), adaptive (more judgments of what matters most), sampled (documents with known
  chances) or predicted (the same with predictions). explained: what they explain, as --explained says.
half-width: of the 95 % interval of the difference between two runs, as a share of the mean score.
tau: the expected tau between the study's ranking and the ranking by the gains of all documents.
power: the chance to find a difference of --difference, also a share of the mean score.

With --half-width, the command writes only the budgets that reach it, the cheapest first. Budgets with the
same cost are sorted by units. --model-cost is what the predictions cost.

  plumbline plan pilot.csv --runs runs/* --pay .5 --fee .2
  plumbline plan --crowd poor --topics 25 50 --judgments 3 5 10 --tau .9
  plumbline plan pilot.csv --runs runs/* --shares .1 .2 .3 --explained .25 --half-width .1"""
GOALS = ("tau", "factor", "margin", "power")
GRADES = ("N", "M", "R", "H", "none")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("pilot", metavar="JUDGMENTS.csv", nargs="?", help="the pilot, plain or compressed")
    parser.add_argument("--runs", metavar="RUN", nargs="+", default=[], help="run files of the pilot")
    parser.add_argument(
        "-m",
        "--measure",
        help="the measure (default: nDCG@10; with --shares, DCG@10 or another sum of gains)",
    )
    add_scale(parser, "what the numbers of the pilot are, or of the crowd that is assumed")
    parser.add_argument(
        "--crowd", choices=("careful", "typical", "poor"), help="assume this crowd (default: typical)"
    )
    parser.add_argument(
        "--noise", type=float, metavar="SD", help="assume this standard deviation of log magnitudes"
    )
    parser.add_argument(
        "--documents",
        nargs="+",
        type=_grade,
        metavar="GRADE=NUMBER",
        help="assume this number of documents of each grade in a topic, including the anchors; none is for "
        "documents without a known grade (default: N=8 M=5 R=4 H=3 none=20)",
    )
    parser.add_argument("--systems", type=int, help="assume this number of systems (default: 20)")
    parser.add_argument(
        "--topics", type=int, nargs="+", help="numbers of topics (default: 6 12 18 25 50; with --shares, 18)"
    )
    parser.add_argument(
        "--judgments",
        type=int,
        nargs="+",
        help="numbers of judgments per document (default: 1 3 5 10 15; with --shares, 3 5 10)",
    )
    parser.add_argument("--pay", type=float, default=0.0, help="pay for a unit (default: 0)")
    parser.add_argument(
        "--fee", type=float, default=0.0, help="the platform's fee; .2 is 20 %% of the pay (default: 0)"
    )
    parser.add_argument(
        "--model-cost",
        type=float,
        metavar="MONEY",
        help="with --shares, what the model that predicts costs for each document of the pool (default: 0)",
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds per document (default: 60)")
    parser.add_argument(
        "--unit-size", type=int, default=8, help="documents in a unit, including the anchors (default: 8)"
    )
    parser.add_argument("--anchors", type=int, default=2, help="anchors in a unit (default: 2)")
    parser.add_argument(
        "--difference",
        type=float,
        default=0.05,
        help="the difference between two systems that a study should find (default: .05)",
    )
    parser.add_argument("--tau", type=float, help="the smallest mean tau that you accept")
    parser.add_argument("--factor", type=float, help="the largest factor that you accept")
    parser.add_argument(
        "--margin", type=float, help="the largest margin that you accept, on scales without ratios"
    )
    parser.add_argument("--power", type=float, help="the smallest power that you accept")
    parser.add_argument(
        "--shares",
        type=float,
        nargs="+",
        help="compare ways to spend a budget, with these shares of documents",
    )
    parser.add_argument(
        "--explained",
        type=float,
        nargs="+",
        metavar="SHARE",
        help="with --shares, predictions explain these shares of the variance of gains in a topic",
    )
    parser.add_argument(
        "--half-width", type=float, metavar="W", help="with --shares, the largest half-width that you accept"
    )
    add_choice(parser, "--target", ("these_topics", "new_topics"), "the topics for which --half-width holds")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the random numbers, 0 or more (default: 0)"
    )
    add_choice(parser, "--format", ("tsv", "csv", "json"), "csv and json have names and full precision")
    parser.add_argument("--digits", type=int, default=3, metavar="N", help="decimals in tsv (default: 3)")
    add_columns(parser, *JUDGMENT_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)
    add_output(parser)


def _grade(text: str) -> tuple[str, int]:
    grade, _, number = text.partition("=")
    if grade not in GRADES or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a grade and a number; write H=3 or none=20")
    return grade.replace("none", ""), int(number)


def run(args: argparse.Namespace) -> None:
    """Write the predictions. Raise `InputError` if the pilot, the assumptions or the settings are invalid."""
    import numpy as np

    from ..planning import Terms

    refuse_digits(args.digits, least=0)
    refuse_negative_seed(args.seed)
    _refuse_other_goals(args)
    terms = Terms(
        args.pay, args.fee, args.seconds, args.unit_size, args.anchors, model_cost=args.model_cost or 0.0
    )
    rng = np.random.default_rng(args.seed)
    table = _sizes(args, terms, rng) if args.shares is None else _budgets(args, terms, rng)
    unused = [name for name in ("factor", "margin") if name in table and table[name].is_null().all()]
    write_table(table, args.output, args.format, args.digits, hidden=("documents", "magnitudes", *unused))


def _refuse_other_goals(args: argparse.Namespace) -> None:
    """Raise `InputError` for an option that does not fit the table that the command writes."""
    if args.shares is None:
        for name in ("explained", "half_width", "model_cost"):
            if getattr(args, name) is not None:
                raise InputError(
                    "option-without-shares",
                    "--{option} is for plans of budgets; add --shares, or leave it out",
                    option=name.replace("_", "-"),
                )
        return
    for name in GOALS:
        if getattr(args, name) is not None:
            raise InputError(
                "goal-with-shares",
                "--{option} is not for plans of budgets; use --half-width, or leave out --shares",
                option=name,
            )


def _sizes(args: argparse.Namespace, terms: "Terms", rng: "np.random.Generator") -> "pl.DataFrame":
    from ..planning import JUDGMENTS, TOPICS, plan

    result = plan(
        _pilot(args, rng, "nDCG@10"),
        rng=rng,
        topics=args.topics or TOPICS,
        judgments=args.judgments or JUDGMENTS,
        terms=terms,
        difference=args.difference,
    )
    goals = {name: getattr(args, name) for name in GOALS}
    if any(goal is not None for goal in goals.values()):
        result = result.reaching(**goals)
        if not result.predictions:
            warn(
                "no size reaches these goals; ask for less, or try larger numbers with --topics and "
                "--judgments"
            )
    return result.to_polars()


def _budgets(args: argparse.Namespace, terms: "Terms", rng: "np.random.Generator") -> "pl.DataFrame":
    from ..planning import plan_budgets

    sizes = {name: value for name in ("topics", "judgments") if (value := getattr(args, name))}
    result = plan_budgets(
        _pilot(args, rng, "DCG@10"),
        rng=rng,
        shares=args.shares,
        explained=args.explained or (),
        terms=terms,
        difference=args.difference,
        **sizes,
    )
    if args.half_width is not None:
        result = result.reaching(args.half_width, args.target)
        if not result.budgets:
            warn(
                "no budget reaches this half-width; ask for less, or try larger numbers with --topics, "
                "--judgments and --shares"
            )
    return result.to_polars()


def _pilot(args: argparse.Namespace, rng: "np.random.Generator", measure: str) -> "Pilot":
    """Return the pilot, or the one that is assumed. `measure` is the default of the measure."""
    from ..crowds import CROWDS
    from ..files import read_runs
    from ..frames import Judgments
    from ..planning import Assumptions, assumed_pilot, estimate_pilot

    given = [name for name in ("crowd", "noise", "documents", "systems") if getattr(args, name) is not None]
    if args.pilot is not None:
        if given:
            raise InputError(
                "pilot-with-assumptions",
                "--{option} is only for plans without a pilot; leave it out, or leave out the pilot {pilot}",
                option=given[0],
                pilot=args.pilot,
            )
        table = judgment_table(args.pilot, args.columns)
        judgments = Judgments(table, gold=table.has_anchors, scale=args.scale)
        runs = read_runs(args.runs, names_of(args.run_columns))
    elif args.runs:
        raise InputError(
            "runs-without-pilot",
            "--runs needs the judgments of a pilot; add their file, or leave out --runs",
        )
    else:
        assumed: dict[str, Any] = {
            name: getattr(args, name) for name in ("noise", "systems") if name in given
        }
        if args.documents:
            assumed["documents"] = dict(args.documents)
        assumptions = Assumptions(CROWDS[args.crowd or "typical"], scale=args.scale, **assumed)
        judgments, runs = assumed_pilot(assumptions, rng)
    return estimate_pilot(judgments, runs, rng=rng, measure=args.measure or measure)

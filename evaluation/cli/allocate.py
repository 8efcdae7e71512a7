"""The command `allocate`: plan the next units of an adaptive study, or stop it."""

import argparse
import json
from typing import Any

from ..errors import InputError
from . import add_choice, add_output, output
from .columns import JUDGMENT_COLUMNS, RUN_COLUMNS, add_columns, judgment_table, names_of

SUMMARY = "the next units of an adaptive study, or the decision to stop it"
DETAILS = """Reads run files in TREC's format, and the judgments so far: CSV with the columns topic_id,
unit_id, document_id, relevance_score and gold. If a unit has several workers, the file also needs the
column worker_id. The command finds the documents whose uncertain gains matter for the ranking of the
runs, and draws the next units from them at random. The same files and seed always give the same
decision.

The decision is written as JSON. It has the reason, the evidence, the next units without the anchors, and
the numbers of every document. The reason is unsettled, settled, or no-room if no topic can get another
unit. With --format tsv, only the next units are written: topic_id, number of the unit, document_id.

--check repeats an earlier decision from its file, with the judgments that were used for it. Judgments of
later units are left out. The command fails if anything differs.

  plumbline allocate judgments.csv runs/* --batch 1 -o decision-1.json
  plumbline allocate judgments.csv runs/* --check decision-1.json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "judgments", metavar="JUDGMENTS.csv", help="the judgments so far, plain or compressed"
    )
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run files, each with a different tag")
    parser.add_argument("-m", "--measure", default="nDCG@10", help="the measure (default: nDCG@10)")
    parser.add_argument(
        "--level", type=float, default=0.9, help="the expected tau at which to stop (default: 0.9)"
    )
    parser.add_argument(
        "--top-level",
        type=float,
        default=0.7,
        help="the expected overlap of top sets at which to stop (default: 0.7)",
    )
    parser.add_argument("--units", type=int, default=60, help="units in a batch (default: 60)")
    parser.add_argument(
        "--unit-size", type=int, default=8, help="documents in a unit, including the anchors (default: 8)"
    )
    parser.add_argument("--anchors", type=int, default=2, help="anchors in a unit (default: 2)")
    parser.add_argument(
        "--units-per-topic",
        type=int,
        metavar="W",
        help="the largest number of units of a topic, including those so far; use the number of workers, "
        "because no worker gets a topic twice (default: no limit)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (default: 0)")
    parser.add_argument("--batch", type=int, default=1, help="the number of the decision (default: 1)")
    parser.add_argument("--check", metavar="DECISION.json", help="repeat this decision and compare it")
    add_choice(parser, "--format", ("json", "tsv"), "json has the whole decision, tsv only the next units")
    add_columns(parser, *JUDGMENT_COLUMNS)
    add_columns(parser, *RUN_COLUMNS)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write a new decision or, with `--check`, repeat a recorded one.

    Raise `InputError` if a file is invalid, or if the repeated decision differs from the recorded one.
    """
    from ..allocation import Settings, decide
    from ..allocation.records import differences, to_record
    from ..files import read_runs
    from ..frames import Judgments

    judgments = Judgments(judgment_table(args.judgments, args.columns), gold=True)
    runs = read_runs(args.runs, names_of(args.run_columns))
    if args.check:
        differing = differences(_read(args.check), judgments, runs)
        if differing:
            raise InputError(
                "decision-differs",
                "the repeated decision differs from the recorded one in {entries}; use the judgments and "
                "runs of the recorded decision",
                args.check,
                entries=", ".join(differing),
            )
        with output(args.output) as out:
            out.write("the repeated decision is the same\n")
        return
    settings = Settings(
        measure=args.measure,
        level=args.level,
        top_level=args.top_level,
        units=args.units,
        unit_size=args.unit_size,
        anchors=args.anchors,
        units_per_topic=args.units_per_topic,
    )
    decision = decide(judgments, runs, settings, seed=args.seed, batch=args.batch)
    with output(args.output) as out:
        if args.format == "json":
            json.dump(to_record(decision, judgments, runs), out, indent=1, ensure_ascii=False)
            out.write("\n")
        else:
            for number, (topic, documents) in enumerate(decision.units, start=1):
                out.writelines(f"{topic}\t{number}\t{document}\n" for document in documents)


def _read(path: str) -> dict[str, Any]:
    """Return the decision that a JSON file contains. Raise `InputError` if the file has none."""
    from ..parsing.text import read_text

    try:
        record = json.loads(read_text(path))
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise InputError(
            "no-decision-in-file", "the file has no decision; give a file that allocate wrote", f"{path}:1"
        )
    return record

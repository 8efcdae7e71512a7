"""The command `normalise`: bring the workers' magnitudes to a common scale."""

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError, shown
from ..scales import default_methods
from . import add_output, add_scale, output, warn
from .columns import pair

if TYPE_CHECKING:
    from ..parsing.judgment_table import JudgmentTable

SUMMARY = "the workers' magnitudes, brought to one scale per topic"
DETAILS = """Reads CSV with at least the columns topic_id, unit_id, document_id, relevance_score. Rows with
the same topic_id, unit_id and, if the column is present, worker_id form a unit. Writes the same rows
in the same order, with the column normalized_relevance_score. In the formulas, s is a magnitude, and
mu and sigma are the mean and the standard deviation of ln s in a unit or in a whole topic:

  geometric  exp(ln s - mu_unit + mu_topic): keeps the ratios inside a unit, and gives all units of a
             topic the same geometric mean (Turpin et al., SIGIR 2015)
  additive   exp(ln s - o_unit): o_unit is the unit's offset in the least-squares fit of ln s = document
             + unit; for units that differ in their documents by design, as in adaptive studies
  none       s, unchanged
  zlog       exp(mu_topic + sigma_topic (ln s - mu_unit) / sigma_unit): also gives all units the same
             spread; if all magnitudes of a unit are equal, they become exp(mu_topic)
  n          s / s_N, where s_N is the magnitude of the unit's not relevant anchor
  anchors    exp(mu_N + (ln s - ln s_N) (mu_H - mu_N) / (ln s_H - ln s_N)): moves the unit's two
             anchors to the averages mu_N and mu_H of the logarithms of all anchors of the topic
  model      estimates the exponent and the noise of each worker from all topics, and moves the numbers
             of careless workers to the middle of their topic

With --scale 0-100 or rating, the numbers are ratings on a scale that all workers share. Results below 0
become 0. Then mu and sigma are those of s itself, and the methods are:

  none       s, unchanged
  mean       s - mu_unit + mu_topic: keeps the differences inside a unit
  z          mu_topic + sigma_topic (s - mu_unit) / sigma_unit: also gives all units the same spread

With --scale grades or preference, the only method is none. For preferences, the column compared_with names
the second document of each row, and relevance_score has the points of the first: 1, 0 or 0.5 for a tie.

--layout, --columns and --only read a file of another platform, such as an MTurk batch with eight
documents in each row; the output then has our columns.

The methods n and anchors need the column gold. It is H for a unit's highly relevant anchor, N for its
not relevant anchor, and empty for all other documents.

If rows are invalid, the error names the first 20 and says how many there are. With --skip-invalid, the
units of these rows are left out, and a warning names each unit.

  plumbline normalise judgments.csv -o normalised.csv
  plumbline normalise judgments.csv --method anchors | head
  plumbline normalise batch.csv --layout mturk --columns topic_id=Input.topic
    document_id=Input.doc{n} relevance_score=Answer.score{n} --only AssignmentStatus=Approved"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("judgments", metavar="JUDGMENTS.csv", help="the judgments, plain or compressed")
    parser.add_argument(
        "--method",
        choices=("geometric", "additive", "none", "zlog", "n", "anchors", "model", "mean", "z"),
        help=f"the method, as described above (default: {default_methods()})",
    )
    parser.add_argument(
        "--layout",
        choices=("plumbline", "crowd_frame", "mturk"),
        default="plumbline",
        help="the platform that wrote the file (default: plumbline)",
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        type=pair,
        default=(),
        metavar="OURS=THEIRS",
        help="columns with another name in the file; if a row has several judgments, {n} in a name stands "
        "for 1, 2, …",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        type=pair,
        default=(),
        metavar="COLUMN=VALUE",
        help="read only the rows with these values",
    )
    parser.add_argument(
        "--skip-invalid",
        action="store_true",
        help="leave out every unit with an invalid row, or without the anchors that the method needs; "
        "a warning names each unit",
    )
    add_scale(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the judgments with normalised magnitudes. Raise `InputError` for unusable judgments."""
    from ..files.judgment_layouts import arranged, layout_of
    from ..files.judgments import write_normalized
    from ..frames import Judgments
    from ..magnitudes import WITH_ANCHORS, normalise
    from ..parsing.judgment_table import read_table

    layout = layout_of(args.layout, dict(args.columns), dict(args.only))
    table, gold = arranged(read_table(args.judgments), layout), args.method in WITH_ANCHORS
    if args.skip_invalid:
        table = _valid(table, args.method, args.scale, gold=gold)
    judgments = Judgments(table, gold=gold, scale=args.scale)
    if (row := judgments.first_repetition()) is not None:
        warn(
            f"{judgments.origin.at(row)}: a document or pair is judged a second time in its unit; if several "
            "workers have the same unit ids, add a column worker_id to separate their units"
        )
    normalized = normalise(judgments, args.method)
    with output(args.output) as out:
        write_normalized(table, normalized, out)


def _valid(table: "JudgmentTable", method: str | None, scale: str, *, gold: bool) -> "JudgmentTable":
    """Return the table without the units that cannot be normalised, and warn about each of these units.

    Raise `InputError` if no unit remains.
    """
    from ..frames import Judgments
    from ..magnitudes.anchors import units_without_scale

    table = _without_units(table, table.invalid_rows(gold=gold, scale=scale), "it has an invalid row")
    if gold and table.rows:
        judgments = Judgments(table, gold=True)
        rows = units_without_scale(judgments, apart=method == "anchors").tolist()
        table = _without_units(table, rows, f"the method {method} cannot use its anchors")
    if not table.rows:
        raise InputError(
            "no-valid-unit",
            "every unit is invalid; run without --skip-invalid to see why",
            f"{table.origin.path}:1",
        )
    return table


def _without_units(table: "JudgmentTable", rows: list[int], reason: str) -> "JudgmentTable":
    units = table.units()
    first_rows: dict[tuple[str, ...], int] = {}
    for row in rows:
        first_rows.setdefault(tuple(units[row].values()), row)
    for row in first_rows.values():
        unit_name = ", ".join(f"{key} {shown(value)}" for key, value in units[row].items())
        warn(f"{table.origin.at(row)}: the unit with {unit_name} is left out, because {reason}")
    return table.without(units[rows]) if rows else table

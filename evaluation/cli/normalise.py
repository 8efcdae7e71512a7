"""The command `normalise`: bring the workers' scales together."""

import argparse
from typing import TYPE_CHECKING

from evaluation.cli import add_output, output, warn
from evaluation.errors import InputError, shown

if TYPE_CHECKING:
    from evaluation.files.judgments import JudgmentTable

SUMMARY = "bring the scales of the workers' magnitudes together, per topic"
DETAILS = """Reads CSV with at least the columns topic_id, unit_id, document_id, relevance_score; a unit is
(topic_id, unit_id, worker_id where given). Writes the same rows in the same order, with the column
normalized_relevance_score. With s a magnitude, mu and sigma the mean and the standard deviation of
ln s in a unit or in a whole topic, the methods are:

  geometric  exp(ln s - mu_unit + mu_topic): ratios inside a unit stay, and all units of a topic get
             one geometric mean (Turpin et al., SIGIR 2015)
  none       s as it was given
  zlog       exp(mu_topic + sigma_topic (ln s - mu_unit) / sigma_unit): units get one spread too;
             a unit of equal numbers gets exp(mu_topic)
  n          s / s_N, by the unit's not relevant anchor
  anchors    exp(mu_N + (ln s - ln s_N) (mu_H - mu_N) / (ln s_H - ln s_N)): the unit's two anchors
             go to where the topic's anchors are on average, mu_N and mu_H the means of their logs

n and anchors need the column gold, which marks a unit's highly relevant anchor H and its not
relevant anchor N and is empty elsewhere.

An invalid row is an error that names the first 20 and says how many there are. With --skip-invalid
the whole units of such rows are left out, and a warning names each.

  python -m evaluation normalise judgments.csv -o normalised.csv
  python -m evaluation normalise judgments.csv --method anchors | head"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("judgments", metavar="JUDGMENTS.csv", help="the judgments, plain or .gz")
    parser.add_argument(
        "--method",
        choices=("geometric", "none", "zlog", "n", "anchors"),
        default="geometric",
        help="how, as above (default: geometric)",
    )
    parser.add_argument(
        "--skip-invalid",
        action="store_true",
        help="leave out whole units with an invalid row, or without the anchors that the method needs; "
        "a warning names each",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Write the judgments with normalised magnitudes. Raise `InputError` for unusable judgments."""
    from evaluation.files.judgments import read_table, write_normalized
    from evaluation.magnitudes import normalise

    table, gold = read_table(args.judgments), args.method in ("n", "anchors")
    if args.skip_invalid:
        table = _valid(table, args.method, gold=gold)
    judgments = table.judgments(gold=gold)
    if (row := judgments.first_repetition()) is not None:
        warn(
            f"{judgments.origin.at(row)}: a document is judged a second time in its unit; where several"
            " workers share the ids of units, a column worker_id keeps them apart"
        )
    normalized = normalise(judgments, args.method)
    with output(args.output) as out:
        write_normalized(table, normalized, out)


def _valid(table: "JudgmentTable", method: str, *, gold: bool) -> "JudgmentTable":
    """Return the table without the units that cannot be normalised; a warning names each of them.

    Raise `InputError` if no unit is left.
    """
    from evaluation.magnitudes.anchors import units_without_scale

    table = _without_units(table, table.invalid_rows(gold=gold), "it has an invalid row")
    if gold and table.rows:
        judgments = table.judgments(gold=True)
        rows = units_without_scale(judgments, apart=method == "anchors").tolist()
        table = _without_units(table, rows, f"its anchors do not serve the method {method}")
    if not table.rows:
        raise InputError(
            "no-valid-unit",
            "every unit is invalid; run without --skip-invalid to see why",
            f"{table.origin.path}:1",
        )
    return table


def _without_units(table: "JudgmentTable", rows: list[int], why: str) -> "JudgmentTable":
    units = table.units()
    first_rows: dict[tuple[str, ...], int] = {}
    for row in rows:
        first_rows.setdefault(tuple(units[row].values()), row)
    for row in first_rows.values():
        named = ", ".join(f"{key} {shown(value)}" for key, value in units[row].items())
        warn(f"{table.origin.at(row)}: left out the unit of {named}: {why}")
    return table.without(units[rows]) if rows else table

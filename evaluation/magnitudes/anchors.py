"""The two anchors of a unit: the highly relevant document H, and the document N that is not relevant."""

import numpy as np

from evaluation.arrays import BoolArray, IntArray
from evaluation.errors import InputError, shown
from evaluation.frames import Judgments
from evaluation.magnitudes.groups import Groups

KINDS = ("H", "N")
"""The marks of the anchors: H for the highly relevant document, N for the document that is not relevant."""


def refuse_without_gold(judgments: Judgments) -> None:
    """Raise `InputError` if the column `gold` is missing."""
    if "gold" not in judgments.table.columns:
        raise InputError(
            "gold-column-missing",
            "there is no gold column; add one that marks the anchors of each unit with H and N",
            f"{judgments.origin.path}:1" if judgments.origin.path else "",
        )


def anchor_rows(judgments: Judgments, units: Groups, mark: str) -> IntArray:
    """Return, for each unit, the index of the row that holds the anchor with this `mark`, "H" or "N".

    Raise `InputError` if the column `gold` is missing, and for the first unit that does not have exactly one
    such anchor.
    """
    refuse_without_gold(judgments)
    marked = np.flatnonzero((judgments.table["gold"] == mark).to_numpy())
    of_unit = units.member[marked]
    counts = np.bincount(of_unit, minlength=len(units.sizes))
    if (counts != 1).any():
        _refuse_unit(judgments, units, mark, marked, counts != 1)
    rows = np.empty(len(units.sizes), dtype=np.int64)
    rows[of_unit] = marked
    return rows


def units_without_scale(judgments: Judgments, *, apart: bool) -> IntArray:
    """Return the first row of each unit that does not have exactly one anchor of each kind.

    With `apart`, also return the first row of each unit whose two anchors have the same magnitude. The rows
    are given by their indexes, in ascending order.
    """
    units = Groups.by(judgments.table, judgments.unit_keys)
    wrong = np.zeros(len(units.sizes), dtype=np.bool_)
    values = []
    for mark in KINDS:
        marked = np.flatnonzero((judgments.table["gold"] == mark).to_numpy())
        wrong |= np.bincount(units.member[marked], minlength=len(units.sizes)) != 1
        value = np.full(len(units.sizes), np.nan)
        value[units.member[marked]] = judgments.magnitudes[marked]
        values.append(value)
    if apart:
        wrong |= values[0] == values[1]
    return np.sort(units.row[wrong])


def unit_values(judgments: Judgments, row: int) -> dict[str, str]:
    """Return the values of `unit` and `topic` for an error message about this row."""
    topic, unit = judgments.table["topic_id"][row], judgments.table["unit_id"][row]
    return {"unit": shown(unit), "topic": shown(topic)}


def _refuse_unit(judgments: Judgments, units: Groups, mark: str, marked: IntArray, wrong: BoolArray) -> None:
    """Raise `InputError` for the first invalid unit.

    The error points to the second anchor with this `mark` in the unit. If the unit has no anchor with this
    mark, the error points to the first row of the unit.
    """
    row = int(units.row[wrong].min())
    anchors = marked[units.member[marked] == units.member[row]]
    if len(anchors):
        error = InputError(
            "several-anchors",
            "unit {unit} of topic {topic} has {number} documents marked {mark} in the gold column; "
            "mark only one",
            judgments.origin.at(int(anchors[1])),
            number=len(anchors),
            mark=mark,
            **unit_values(judgments, row),
        )
    else:
        error = InputError(
            "anchor-missing",
            "unit {unit} of topic {topic} has no document marked {mark} in the gold column; mark one,"
            " or leave the unit out",
            judgments.origin.at(row),
            mark=mark,
            **unit_values(judgments, row),
        )
    raise judgments.origin.naming_others(error, np.sort(units.row[wrong]).tolist(), row)

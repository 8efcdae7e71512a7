"""A unit's two anchors: its highly relevant document H and the one that is not relevant, N."""

import numpy as np

from evaluation.arrays import BoolArray, IntArray
from evaluation.errors import InputError, shown
from evaluation.frames import Judgments
from evaluation.magnitudes.groups import Groups

KINDS = {"H": "highly relevant", "N": "not relevant"}


def anchor_rows(judgments: Judgments, units: Groups, mark: str) -> IntArray:
    """The row of each unit's one anchor `mark`, "H" or "N".

    Raises `InputError` where the column `gold` is missing, and for the first unit without exactly one.
    """
    if "gold" not in judgments.table.columns:
        where = f"{judgments.origin.path}:1" if judgments.origin.path else ""
        raise InputError("there is no column gold; it marks the anchors of a unit, H and N", where)
    marked = np.flatnonzero((judgments.table["gold"] == mark).to_numpy())
    of_unit = units.member[marked]
    counts = np.bincount(of_unit, minlength=len(units.sizes))
    if (counts != 1).any():
        _refuse_unit(judgments, units, mark, marked, counts != 1)
    rows = np.empty(len(units.sizes), dtype=np.int64)
    rows[of_unit] = marked
    return rows


def units_without_scale(judgments: Judgments, *, apart: bool) -> IntArray:
    """Return the first row of each unit that has not exactly one anchor of each kind, ascending.

    With `apart`, also of those whose two anchors have one magnitude.
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


def unit_named(judgments: Judgments, row: int) -> str:
    """The unit of a row, for a message."""
    topic, unit = judgments.table["topic_id"][row], judgments.table["unit_id"][row]
    return f"unit {shown(unit)} of topic {shown(topic)}"


def _refuse_unit(judgments: Judgments, units: Groups, mark: str, marked: IntArray, wrong: BoolArray) -> None:
    """Raise for the first of the wrong units: at its second anchor, or at its first row if it has none."""
    row = int(units.row[wrong].min())
    unit = unit_named(judgments, row)
    anchors = marked[units.member[marked] == units.member[row]]
    others = judgments.origin.others(np.sort(units.row[wrong]).tolist(), row)
    one = f"the unit's one {KINDS[mark]} anchor"
    if len(anchors):
        what = f"{unit} has {len(anchors)} documents marked {mark} in the column gold"
        judgments.origin.refuse(int(anchors[1]), f"{what}; mark only {one}{others}")
    what = f"{unit} has no document marked {mark} in the column gold"
    judgments.origin.refuse(row, f"{what}; mark {one}, or leave the unit out{others}")

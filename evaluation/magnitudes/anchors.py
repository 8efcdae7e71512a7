"""The anchors of a unit: a highly relevant document H, and a document N that is not relevant.

A unit can have several such pairs. Its H documents then count as one anchor, and so do its N documents: the
magnitude of this anchor is the geometric mean of theirs.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..errors import InputError, shown
from ..frames import Judgments
from .groups import Groups

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
    """Return, for each unit, the index of the first row that holds an anchor with this `mark`, "H" or "N".

    Raise `InputError` if the column `gold` is missing. Also raise it for the first unit without such an
    anchor, and for the first unit with several if it does not have as many of the other kind.
    """
    refuse_without_gold(judgments)
    marked = _marked(judgments, mark)
    wrong = _lacks_pairs(judgments, units, mark)
    if wrong.any():
        _refuse_unit(judgments, units, mark, marked, wrong)
    rows = np.empty(len(units.sizes), dtype=np.int64)
    rows[units.member[marked[::-1]]] = marked[::-1]
    return rows


def anchor_magnitudes(judgments: Judgments, units: Groups, mark: str) -> FloatArray:
    """Return, for each unit, the magnitude of its anchor with this `mark`, "H" or "N".

    If the unit has several such anchors, return the geometric mean of their magnitudes. Raise `InputError` in
    the same cases as `anchor_rows`.
    """
    rows = anchor_rows(judgments, units, mark)
    marked = _marked(judgments, mark)
    if len(marked) == len(rows):
        return judgments.magnitudes[rows]
    return _geometric_means(judgments, units, marked)


def units_without_scale(judgments: Judgments, *, apart: bool) -> IntArray:
    """Return the first row of each unit without an anchor of each kind, or with more of one kind.

    With `apart`, also return the first row of each unit whose anchors H and N have the same magnitude. The
    rows are given by their indexes, in ascending order.
    """
    units = Groups.by(judgments.table, judgments.unit_keys)
    wrong = np.zeros(len(units.sizes), dtype=np.bool_)
    for mark in KINDS:
        wrong |= _lacks_pairs(judgments, units, mark)
    if apart:
        high, low = (_geometric_means(judgments, units, _marked(judgments, mark)) for mark in KINDS)
        wrong |= high == low
    return np.sort(units.row[wrong])


def _marked(judgments: Judgments, mark: str) -> IntArray:
    return np.flatnonzero((judgments.table["gold"] == mark).to_numpy())


def _lacks_pairs(judgments: Judgments, units: Groups, mark: str) -> BoolArray:
    """Return, for each unit, whether it has no anchor with this mark, or several that have no counterpart."""
    counts = {
        kind: np.bincount(units.member[_marked(judgments, kind)], minlength=len(units.sizes))
        for kind in KINDS
    }
    (other,) = (kind for kind in KINDS if kind != mark)
    lacks: BoolArray = (counts[mark] == 0) | ((counts[mark] > 1) & (counts[mark] != counts[other]))
    return lacks


def _geometric_means(judgments: Judgments, units: Groups, marked: IntArray) -> FloatArray:
    """Return the geometric mean of the marked magnitudes of each unit, or NaN for a unit without any.

    A single magnitude is returned exactly as it is.
    """
    of_unit, number = units.member[marked], len(units.sizes)
    counts = np.bincount(of_unit, minlength=number)
    sums = np.bincount(of_unit, np.log(judgments.magnitudes[marked]), minlength=number)
    means: FloatArray = np.exp(np.divide(sums, counts, out=np.full(number, np.nan), where=counts > 0))
    alone = counts[of_unit] == 1
    means[of_unit[alone]] = judgments.magnitudes[marked[alone]]
    return means


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
            "mark only one, or as many as the unit has of the other kind",
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

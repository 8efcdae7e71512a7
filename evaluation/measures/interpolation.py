"""Precision and recall together: the P–R curve, and precision interpolated at recall levels.

The curve of a list has a point for every relevant document that it retrieves, at that document's rank.
Between these points, precision only falls. Interpolated precision at recall r is the largest precision at any
recall ≥ r, or 0 if the list never reaches recall r [Manning, Raghavan & Schütze 2008, 8.4]. A mean over
topics is computed for each level separately.

Example: if the documents at ranks 1 and 3 are relevant and R = 2, the points are (.5, 1) and (1, 2/3).
Interpolated precision is 1 at the levels 0 … .5 and 2/3 at .6 … 1, so the mean over the 11 levels is (6·1 +
5·2/3)/11 = .848.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..errors import InputError
from ..options import checked
from ..showing import short_repr
from .definitions import measure
from .lists import RankedLists
from .parameters import Levels
from .precision import relevant_hits, rounded_up

ELEVEN = tuple(tenths / 10 for tenths in range(11))
"""The recall levels 0, .1 … 1."""


@short_repr
@dataclass(frozen=True, eq=False)
class RecallCurves:
    """P–R curves: recall and precision at each relevant document that is retrieved, with the best rank first.

    Both have the shape (runs, topics, points). They are NaN after a list's last point and in topics without a
    relevant document, so that plots skip these points.
    """

    recall: FloatArray
    precision: FloatArray


def recall_curves(lists: RankedLists, cutoff: int | None = None, rel: float | None = None) -> RecallCurves:
    """Return the P–R curves of all lists, down to the cut-off if there is one."""
    hits = relevant_hits(lists, cutoff, rel)
    in_base = lists.recall(rel)
    present = hits.padded(np.ones(len(hits.cell), dtype=np.bool_))
    points = (hits.place / in_base[hits.topic], hits.share)
    recall, precision = (np.where(present, hits.padded(values), np.nan) for values in points)
    return RecallCurves(recall, precision)


@checked
def interpolated(
    lists: RankedLists,
    recall: Sequence[float],
    cutoff: int | None = None,
    rel: float | None = None,
    levels: Levels = "exact",
) -> FloatArray:
    """Return the interpolated precision at each value in `recall` (runs, topics, recalls).

    The result is NaN in topics without a relevant document. `levels` sets how many relevant documents a list
    needs to reach recall r. `"exact"` is the definition, ⌈r·R⌉. `"trec_eval"`, as in version 10 of trec_eval,
    rounds r·R to the nearest whole number. So a list can count as reaching recall r although it lacks up to
    half a document. `"trec_eval9"`, as in older versions and pytrec_eval, is ⌊r·R + .9⌋.
    """
    in_base = lists.recall(rel)[:, None]
    needed = COUNTINGS[levels](np.asarray(recall, dtype=np.float64) * in_base)  # (topics, recalls)
    hits = relevant_hits(lists, cutoff, rel)
    falling = hits.padded(hits.share)[..., ::-1]
    # The last point stays 0, for recalls that the list does not reach.
    best = np.zeros((*falling.shape[:2], falling.shape[2] + 1))
    np.maximum.accumulate(falling, axis=-1, out=best[..., -2::-1])
    places = np.clip(needed.astype(np.int64) - 1, 0, best.shape[-1] - 1)
    return np.where(in_base > 0, best[:, np.arange(len(places))[:, None], places], np.nan)


def _nearest(share: FloatArray) -> FloatArray:
    """Return r·R rounded to the nearest whole number, with halves rounded up.

    Adding .5 and rounding down would turn .49999999999999994 into 1.
    """
    return np.floor(share) + (share - np.floor(share) >= 0.5)


def _nine_tenths(share: FloatArray) -> FloatArray:
    """Return ⌊r·R + .9⌋ in floating point, which gives 2 instead of 3 for r = .7 and R = 3."""
    return np.floor(share + 0.9)


COUNTINGS = {"exact": rounded_up, "trec_eval": _nearest, "trec_eval9": _nine_tenths}
"""Functions from r·R to the number of relevant documents that a list needs for recall r."""


@checked
@measure("IPrec", counts="relevant")
def interpolated_precision(
    lists: RankedLists,
    cutoff: int | None,
    *,
    recall: float | None = None,
    levels: Levels = "exact",
    rel: float | None = None,
) -> FloatArray:
    """Return the largest precision at any recall of at least `recall`: iprec_at_recall in trec_eval.

    See `interpolated` for `levels`. Raise `InputError` if `recall` is missing.
    """
    if recall is None:
        raise InputError(
            "iprec-without-recall",
            "IPrec needs the parameter recall, the recall level at which to interpolate; write it like "
            "IPrec(recall=0.1)",
        )
    return interpolated(lists, [recall], cutoff, rel, levels)[..., 0]


@checked
@measure("11pt_avg", counts="relevant")
def eleven_point_average(
    lists: RankedLists, cutoff: int | None, *, levels: Levels = "exact", rel: float | None = None
) -> FloatArray:
    """Return the mean of the interpolated precision at recall 0, .1 … 1, called 11pt_avg in trec_eval."""
    # The levels are added one after the other, because the order of `mean` depends on the number of runs.
    sums = np.cumsum(interpolated(lists, ELEVEN, cutoff, rel, levels), axis=-1)
    mean: FloatArray = sums[..., -1] / len(ELEVEN)
    return mean

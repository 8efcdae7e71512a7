"""Whole-number gains, for tools that truncate real-valued gains or refuse them."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ..errors import InputError
from ..frames import Gains
from ..sources import Source

LARGEST_WHOLE = 1_000_000
"""The largest whole-number gain that is allowed.

trec_eval keeps a count for each whole number up to the largest gain, so larger gains take minutes.
"""


def gains_times(gains: Source, factor: float) -> Gains:
    """Return the gains times `factor`, rounded to whole numbers. Halves are rounded to even numbers.

    `gains` can be anything that `Gains` accepts. A larger factor keeps more of the differences between gains.
    A positive gain of at most 0.5/factor becomes 0, so its document no longer counts as relevant.
    Raise `InputError` for a factor that is not positive and finite, and if a result is above 1,000,000. With
    larger gains, trec_eval would take too long, because it keeps a count for each whole number up to the
    largest gain.

    Example: 12.34, 0.5 and 0.004 times 100 become 1234, 50 and 0.
    """
    judged = Gains(gains)
    if not (np.isfinite(factor) and factor > 0):
        raise InputError(
            "invalid-factor",
            "the factor {factor} is out of bounds; give a finite number above 0",
            factor=f"{factor:g}",
        )
    whole = np.rint(judged.values * factor)
    if (whole > LARGEST_WHOLE).any():
        row = int(whole.argmax())
        raise InputError(
            "factor-too-large",
            "the gain {value} of document {document} in topic {topic}, multiplied by {factor}, is "
            "above {largest}, so trec_eval would be too slow; give a smaller factor",
            judged.origin.at(row),
            factor=f"{factor:g}",
            largest=LARGEST_WHOLE,
            **judged.row_values(row),
        )
    return judged.replaced(table=judged.table.with_columns(pl.Series("gain", whole)))


def grades_from(gains: Source, thresholds: Sequence[float]) -> Gains:
    """Return the grades 0, 1, 2, … in place of gains: the number of thresholds that each gain reaches.

    `gains` can be anything that `Gains` accepts. Raise `InputError` if there are no thresholds, and for
    thresholds that are not finite or not in ascending order.

    Example: with the thresholds 1 and 10, the gains 0.5, 1, 9.9 and 10 become 0, 1, 1 and 2.
    """
    judged, limits = Gains(gains), np.asarray(thresholds, dtype=np.float64)
    if not limits.size or not np.isfinite(limits).all() or (np.diff(limits) <= 0).any():
        raise InputError(
            "invalid-thresholds",
            "the thresholds {thresholds} are not in ascending order; give one or more finite numbers,"
            " the smallest first",
            thresholds=", ".join(f"{limit:g}" for limit in limits) or "()",
        )
    grades = np.searchsorted(limits, judged.values, side="right").astype(np.float64)
    return judged.replaced(table=judged.table.with_columns(pl.Series("gain", grades)))

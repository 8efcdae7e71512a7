"""Estimate how uncertain the gain of each document is, from the spread of its log magnitudes."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from ..conventions import Statistic
from ..frames import Judgments
from ..magnitudes.document_gains import KEYS, gains, refuse_other_statistics
from ..magnitudes.spread import spread_of
from ..options import checked
from ..showing import short_repr


@short_repr
@checked
@dataclass(frozen=True, eq=False)
class Uncertainty:
    """The gain of each judged document and its uncertainty, sorted by topic and document.

    `judgments` is the number of judgments of each document, and `gain` is its gain. `sigma` is the estimated
    standard deviation of the logarithm of a single normalised magnitude.
    """

    judgments: IntArray
    gain: FloatArray
    sigma: FloatArray
    statistic: Statistic = "median"

    def error(self, further: IntArray | int = 0) -> FloatArray:
        """Return the standard error that each log gain would have after more judgments.

        `further` is the number of additional judgments.
        """
        return self.sigma * np.sqrt(variance_factor(self.judgments + further, self.statistic))


@checked
def estimate(judgments: Judgments, normalized: FloatArray, statistic: Statistic = "median") -> Uncertainty:
    """Return the gain of each document and its uncertainty, with the spread that `spread_of` returns.

    Raise `InputError` for a statistic that is neither `"median"` nor `"gmean"`.
    """
    refuse_other_statistics(statistic)
    result = gains(judgments, normalized, statistic)
    spread = spread_of(judgments, normalized)
    keys = judgments.table.select(KEYS)[spread.documents.row]
    order = keys.with_row_index("group").sort(KEYS)["group"].to_numpy()
    sigma = np.sqrt(spread.variance)[order]
    return Uncertainty(spread.documents.sizes[order], result.values, sigma, statistic)


@checked
def variance_factor(judgments: IntArray, statistic: Statistic) -> FloatArray:
    """Return the variance of a gain's logarithm, divided by that of one log magnitude.

    It is 1/n for the geometric mean of n magnitudes, and about π/(2n + π − 2) for their median. This
    approximation is exact for one judgment. For many, it tends to π/(2n), the variance of the median of
    normal values. For 3 judgments it is .440, and the exact value is .449.
    """
    number = judgments.astype(np.float64)
    return 1 / number if statistic == "gmean" else np.pi / (2 * number + np.pi - 2)


def moved(gain: FloatArray, change: FloatArray) -> FloatArray:
    """Return gain·exp(change), limited to numbers that a float can hold."""
    return np.exp(np.clip(np.log(gain) + change, -_LARGEST_LOG, _LARGEST_LOG))


_LARGEST_LOG: Final = 690.0

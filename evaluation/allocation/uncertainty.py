"""Estimate how uncertain the gain of each document is, from the spread of its log magnitudes."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray
from ..conventions import Statistic
from ..frames import Judgments
from ..magnitudes.document_gains import KEYS, gains, refuse_other_statistics
from ..magnitudes.groups import Groups
from ..options import checked
from ..showing import short_repr

PRIOR_WEIGHT: Final = 4.0
"""How many degrees of freedom the variance of the topic counts for when a document's variance is shrunk."""


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
    """Return the gain of each document and its uncertainty.

    With few judgments, the variance v of a document's log magnitudes is often close to 0 by chance. So v is
    shrunk towards the pooled variance v_topic of the document's topic [Smyth, Statistical Applications in
    Genetics and Molecular Biology 3(1), 2004, section 4]. For n judgments, the result is
    (4·v_topic + (n − 1)·v) / (4 + n − 1). The weight 4 is fixed.

    The normalisation estimates U − 1 offsets for the U units of a topic. This makes the magnitudes of a
    document agree more than they should. So all variances of a topic with N judgments and D documents are
    multiplied by (N − D) / (N − D − U + 1).

    If N − D − U + 1 is not positive, the variance of the topic cannot be estimated. Then the documents of the
    topic get the pooled variance of the other topics, or 1 if there are none. Raise `InputError` for a
    statistic that is neither `"median"` nor `"gmean"`.
    """
    refuse_other_statistics(statistic)
    result = gains(judgments, normalized, statistic)
    documents = Groups.by(judgments.table, KEYS)
    order = judgments.table.select(KEYS)[documents.row].with_row_index("group").sort(KEYS)["group"].to_numpy()
    free = (documents.sizes - 1).astype(np.float64)
    squares = documents.deviations(np.log(normalized)) ** 2 * documents.sizes
    topics = Groups.by(judgments.table[documents.row], ["topic_id"])
    free_in_topic = np.bincount(topics.member, free)
    units = Groups.by(judgments.table, judgments.unit_keys)
    units_of_topic = np.bincount(documents.joined(topics).member[units.row])
    left = np.maximum(free_in_topic - units_of_topic + 1, 0)
    squares *= np.divide(free_in_topic, left, out=np.zeros(len(left)), where=left > 0)[topics.member]
    free[left[topics.member] == 0] = 0
    total = squares.sum() / free.sum() if free.any() else 1.0
    of_topic = np.divide(
        np.bincount(topics.member, squares),
        free_in_topic,
        out=np.full(len(free_in_topic), total),
        where=left > 0,
    )
    shrunk = (PRIOR_WEIGHT * of_topic[topics.member] + squares) / (PRIOR_WEIGHT + free)
    return Uncertainty(documents.sizes[order], result.values, np.sqrt(shrunk)[order], statistic)


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

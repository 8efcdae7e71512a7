"""Compute a document's gain from its normalised magnitudes."""

from typing import Final, Literal, get_args

import numpy as np

from ..arrays import FloatArray, IntArray
from ..conventions import Statistic
from ..errors import InputError, shown
from ..frames import Gains, Judgments
from ..options import checked
from ..scales import scale_of
from ..sources import Source
from .groups import Groups, Sums
from .model import fit_levels
from .normalisation import normalise

STATISTICS: Final[tuple[Statistic, ...]] = get_args(Statistic)
"""How a document's gain can be computed. The first is the default."""
TRIM: Final = 0.2
"""The share that a trimmed mean drops at each end, by default: the choice of Wilcox (2012, section 3.3)."""
Median = Literal["arithmetic", "geometric"]
KEYS = ["topic_id", "document_id"]
SAME = 1e-12
"""Magnitudes or ratios with a relative difference of at most this differ only by rounding errors."""


@checked
def refuse_other_statistics(statistic: Statistic) -> None:
    """Raise `InputError` unless the statistic is `"median"` or `"gmean"`, whose noise can be estimated."""
    if statistic not in ("median", "gmean"):
        raise InputError(
            "statistic-without-noise",
            "the noise of the statistic {statistic} cannot be estimated; use median or gmean",
            statistic=shown(statistic),
        )


@checked
def gains(
    judgments: Source,
    normalized: FloatArray | None = None,
    statistic: Statistic = "median",
    median: Median = "arithmetic",
    trim: float = TRIM,
) -> Gains:
    """Return one gain for each judged document in each topic, sorted by topic and document.

    `judgments` can be anything that `Judgments` accepts: a path, rows or a table. `normalized` has a number
    for each judgment, in row order. Without it, `normalise` computes these numbers. The statistics are:

    - `"median"`, the default: the median of the document's numbers. For an even number of judgments, this is
      the arithmetic mean of the middle two or, with `median="geometric"`, their geometric mean. For the
      middle numbers 4 and 9, the arithmetic mean is 6.5, and the geometric mean is 6.
    - `"gmean"`: the geometric mean of the document's numbers.
    - `"trimmed"`: the geometric mean of the document's n numbers without the m smallest and the m largest,
      where m is `trim`·n rounded down (Wilcox, Introduction to robust estimation and hypothesis testing,
      2012, section 3.3). With `trim=0.2`, a document with up to 4 judgments keeps all its numbers. A document
      with 5 to 9 judgments loses its smallest and its largest number.
    - `"model"`: exp of the document's level in a model of all judgments, which `fit_levels` fits to the
      numbers. The model takes account of the other documents in a unit, and of the exponent and the noise of
      each worker.

    Raise `InputError` for an unknown statistic, for a `trim` outside [0, 0.5), and if `normalized` does
    not have one number for each judgment. Also raise it for ratings, unless the gain is an arithmetic median.
    """
    judgments = Judgments(judgments)
    _refuse_trim(trim)
    scale = scale_of(judgments)
    if statistic not in scale.statistics or median not in scale.medians:
        judgments.refuse_without_ratios()
    if normalized is None:
        normalized = normalise(judgments)
    if len(normalized) != len(judgments.table):
        raise InputError(
            "normalised-magnitudes-differ-in-number",
            "there are {magnitudes} normalised magnitudes for {judgments} judgments; give one per judgment",
            magnitudes=len(normalized),
            judgments=len(judgments.table),
        )
    groups = Groups.by(judgments.table, KEYS)
    if statistic == "median":
        values = middle(*groups.sorted(normalized).middle(), median)
    elif statistic == "gmean":
        values = np.exp(groups.sums(np.log(normalized)).means())
    elif statistic == "trimmed":
        values = _trimmed(groups, normalized, trim)
    else:
        values = np.exp(fit_levels(judgments, normalized).level[groups.row])
    table = judgments.table.select(KEYS)[groups.row].with_columns(gain=values).sort(KEYS)
    return Gains.from_columns(table["topic_id"], table["document_id"], table["gain"])


def _refuse_trim(trim: float) -> None:
    """Raise `InputError` for a `trim` outside [0, 0.5)."""
    if not 0 <= trim < 0.5:
        raise InputError(
            "trim-out-of-bounds",
            "trim {trim} is out of bounds; give a share of at least 0 and below 0.5",
            trim=f"{trim:g}",
        )


def _trimmed(groups: Groups, normalized: FloatArray, trim: float) -> FloatArray:
    """Return the trimmed geometric mean of each group, whatever the order of the rows."""
    order = np.lexsort((normalized, groups.member))
    ordered = Groups(groups.member[order], groups.row, groups.sizes)
    dropped = trimmed_away(groups.sizes, trim)
    place = np.arange(len(order)) - (np.cumsum(groups.sizes) - groups.sizes)[ordered.member]
    is_kept = (place >= dropped[ordered.member]) & (place < (groups.sizes - dropped)[ordered.member])
    sums = ordered.sums(np.where(is_kept, np.log(normalized[order]), 0.0))
    return np.exp(Sums(sums.coarse, sums.fine, groups.sizes - 2 * dropped).means())


def trimmed_away(sizes: IntArray, trim: float) -> IntArray:
    """Return how many magnitudes a trimmed mean drops at each end, for each count of judgments in `sizes`."""
    # 0.2·5 and the like are whole numbers, although their floats can be a little smaller.
    dropped: IntArray = np.floor(sizes * trim * (1 + SAME)).astype(np.int64)
    return dropped


@checked
def middle(low: FloatArray, high: FloatArray, median: Median) -> FloatArray:
    """Return medians from the two middle values, which are equal if the number of values is odd."""
    if median == "geometric":
        # The product could overflow, but the product of the roots cannot.
        return np.where(low == high, low, np.sqrt(low) * np.sqrt(high))
    return np.where(low == high, low, low / 2 + high / 2)  # low + high could overflow

"""Compute a document's gain from its normalised judgments."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, cast

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..conventions import Statistic
from ..errors import InputError, shown
from ..frames import Gains, Judgments
from ..options import checked
from ..pairwise.worths import TopicFit, topic_fits
from ..scales import DEFAULT, scale_named, scale_of
from ..sources import Source
from .groups import Groups, Sums
from .model import fit_levels
from .normalisation import normalise

STATISTICS: Final = cast("tuple[Statistic, ...]", scale_named(DEFAULT).statistics)
"""How the gain of a document can be computed from magnitudes. The first is the default."""
WITH_NOISE: Final = ("median", "gmean", "mean", "worth", "chance")
"""The statistics whose noise can be estimated from resampled workers."""
TRIM: Final = 0.2
"""The share that a trimmed mean drops at each end, by default: the choice of Wilcox (2012, section 3.3)."""
Median = Literal["arithmetic", "geometric"]
KEYS = ["topic_id", "document_id"]
SAME = 1e-12
"""Magnitudes or ratios with a relative difference of at most this differ only by rounding errors."""


@checked
def refuse_other_statistics(statistic: Statistic) -> None:
    """Raise `InputError` for a statistic whose noise cannot be estimated: a trimmed mean, or the model's."""
    if statistic not in WITH_NOISE:
        raise InputError(
            "statistic-without-noise",
            "the noise of the statistic {statistic} cannot be estimated; choose from {known}",
            statistic=shown(statistic),
            known=", ".join(WITH_NOISE),
        )


@checked
def statistic_of(judgments: Judgments, statistic: Statistic | None = None) -> Statistic:
    """Return the statistic of these judgments: the one that is given, or the default of their scale.

    Raise `InputError` for a statistic that the scale does not have.
    """
    scale = scale_of(judgments)
    if statistic is None:
        return cast(Statistic, scale.statistics[0])
    if statistic not in scale.statistics:
        raise InputError(
            "statistic-of-another-scale",
            "the scale {scale} does not have the statistic {statistic}; choose from {known}",
            judgments.origin.path or "",
            scale=scale.name,
            statistic=statistic,
            known=", ".join(scale.statistics),
        )
    return statistic


@checked
def gains(
    judgments: Source,
    normalized: FloatArray | None = None,
    statistic: Statistic | None = None,
    median: Median = "arithmetic",
    trim: float = TRIM,
) -> Gains:
    """Return one gain for each judged document in each topic, sorted by topic and document.

    `judgments` can be anything that `Judgments` accepts: a path, rows or a table. `normalized` has a number
    for each judgment, in row order. Without it, `normalise` computes these numbers. Each scale has some of
    these statistics, and a default:

    - `"median"`, the default for single documents: the median of the document's numbers. For an even number
      of judgments, this is the arithmetic mean of the middle two or, with `median="geometric"`, their
      geometric mean. For the middle numbers 4 and 9, the arithmetic mean is 6.5, and the geometric mean is 6.
    - `"gmean"`, for magnitudes: the geometric mean of the document's numbers.
    - `"trimmed"`, for magnitudes: the geometric mean of the document's n numbers without the m smallest and
      the m largest, where m is `trim`·n rounded down (Wilcox, Introduction to robust estimation and
      hypothesis testing, 2012, section 3.3). With `trim=0.2`, a document with up to 4 judgments keeps all its
      numbers. A document with 5 to 9 judgments loses its smallest and its largest number.
    - `"model"`, for magnitudes: exp of the document's level in a model of all judgments, which `fit_levels`
      fits to the numbers. The model takes account of the other documents in a unit, and of the exponent and
      the noise of each worker.
    - `"mean"`, for ratings and grades: the arithmetic mean of the document's numbers.
    - `"worth"`, the default for preferences: the document's worth, which `pairwise.fit` fits to all
      comparisons of the topic. The geometric mean of a topic's worths is 1.
    - `"chance"`, for preferences: the chance that the document is preferred to a random other document of the
      topic, by these worths. A tie counts half.

    Raise `InputError` for an unknown statistic or one that the scale does not have, for a `trim` outside
    [0, 0.5), and if `normalized` does not have one number for each judgment. Without ratios, also raise it
    for a geometric median.
    """
    judgments = Judgments(judgments)
    _refuse_trim(trim)
    scale = scale_of(judgments)
    statistic = statistic_of(judgments, statistic)
    if median not in scale.medians:
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
    table = FUNCTIONS[statistic](_Numbers(judgments, normalized, median, trim))
    return Gains.from_columns(table["topic_id"], table["document_id"], table["gain"])


@dataclass(frozen=True, eq=False)
class _Numbers:
    """The normalised numbers, and the choices that some statistics have."""

    judgments: Judgments
    normalized: FloatArray
    median: Median
    trim: float

    @cached_property
    def groups(self) -> Groups:
        return Groups.by(self.judgments.table, KEYS)

    def by_document(self, values: FloatArray) -> pl.DataFrame:
        """Return the table of gains from the gain of each group."""
        table = self.judgments.table.select(KEYS)[self.groups.row]
        return table.with_columns(gain=values).sort(KEYS)


def _median(numbers: _Numbers) -> pl.DataFrame:
    middles = numbers.groups.sorted(numbers.normalized).middle()
    return numbers.by_document(middle(*middles, numbers.median))


def _gmean(numbers: _Numbers) -> pl.DataFrame:
    return numbers.by_document(np.exp(numbers.groups.sums(np.log(numbers.normalized)).means()))


def _trimmed_mean(numbers: _Numbers) -> pl.DataFrame:
    return numbers.by_document(_trimmed(numbers.groups, numbers.normalized, numbers.trim))


def _model(numbers: _Numbers) -> pl.DataFrame:
    fitted = fit_levels(numbers.judgments, numbers.normalized)
    return numbers.by_document(np.exp(fitted.level[numbers.groups.row]))


def _mean(numbers: _Numbers) -> pl.DataFrame:
    return numbers.by_document(numbers.groups.sums(numbers.normalized).means())


def _of_pairs(numbers: _Numbers, gain: Callable[[TopicFit], FloatArray]) -> pl.DataFrame:
    fits = topic_fits(numbers.judgments, numbers.normalized)
    return pl.concat([of_topic.keys.with_columns(gain=gain(of_topic)) for of_topic in fits])


def _worth(numbers: _Numbers) -> pl.DataFrame:
    return _of_pairs(numbers, lambda of_topic: np.exp(of_topic.fit.theta))


def _chance(numbers: _Numbers) -> pl.DataFrame:
    return _of_pairs(numbers, lambda of_topic: of_topic.chance)


FUNCTIONS: Final[dict[Statistic, Callable[[_Numbers], pl.DataFrame]]] = {
    "median": _median,
    "gmean": _gmean,
    "trimmed": _trimmed_mean,
    "model": _model,
    "mean": _mean,
    "worth": _worth,
    "chance": _chance,
}


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

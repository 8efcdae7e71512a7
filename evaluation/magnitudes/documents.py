"""Compute a document's gain from its normalised magnitudes."""

from typing import Literal

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.errors import InputError
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes.groups import Groups
from evaluation.magnitudes.normalisation import normalise
from evaluation.sources import Source

Statistic = Literal["median", "gmean"]
Median = Literal["arithmetic", "geometric"]
KEYS = ["topic_id", "document_id"]
SAME = 1e-12
"""Magnitudes or ratios with a relative difference of at most this differ only by rounding errors."""


def gains(
    judgments: Source,
    normalized: FloatArray | None = None,
    statistic: Statistic = "median",
    median: Median = "arithmetic",
) -> Gains:
    """Return one gain for each judged document in each topic, sorted by topic and document.

    `judgments` can be anything that `Judgments` accepts: a path, rows or a table. `normalized` has a number
    for each judgment, in row order. Without it, `normalise` computes these numbers. A gain is the median of
    the document's numbers or, with `statistic="gmean"`, their geometric mean. For an even number of
    judgments, the median is the arithmetic mean of the middle two or, with `median="geometric"`, their
    geometric mean. For the middle numbers 4 and 9, the arithmetic mean is 6.5, and the geometric mean is 6.

    Raise `InputError` unless each judgment has one normalised magnitude, and for a geometric mean of ratings.
    """
    judgments = Judgments(judgments)
    if statistic == "gmean" or median == "geometric":
        judgments.refuse_ratings()
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
    if statistic == "gmean":
        values = np.exp(groups.sums(np.log(normalized)).means())
    else:
        values = middle(*groups.sorted(normalized).middle(), median)
    table = judgments.table.select(KEYS)[groups.row].with_columns(gain=values).sort(KEYS)
    return Gains.from_columns(table["topic_id"], table["document_id"], table["gain"])


def middle(low: FloatArray, high: FloatArray, median: Median) -> FloatArray:
    """Return medians from the two middle values, which are equal if the number of values is odd."""
    if median == "geometric":
        # The product could overflow, but the product of the roots cannot.
        return np.where(low == high, low, np.sqrt(low) * np.sqrt(high))
    return np.where(low == high, low, low / 2 + high / 2)  # low + high could overflow

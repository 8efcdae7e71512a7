"""Estimate the spread of each document's log magnitudes, with the help of its topic's other documents."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import FloatArray
from ..frames import Judgments
from ..showing import short_repr
from .groups import Groups

PRIOR_WEIGHT: Final = 4.0
"""How many degrees of freedom the variance of the topic counts for when a document's variance is shrunk."""


@short_repr
@dataclass(frozen=True, eq=False)
class Spread:
    """The variance of the logarithm of a single normalised magnitude, for each document and each topic.

    `documents` has the judgments of each document, and `topics` has the documents of each topic. `variance`
    is the variance of each document, shrunk towards `of_topic`, the pooled variance of each topic.
    `correction` is the factor in each topic by which squared deviations were multiplied, because the
    normalisation makes them too small. It is 0 for a topic whose variance cannot be estimated.
    """

    documents: Groups
    topics: Groups
    variance: FloatArray
    of_topic: FloatArray
    correction: FloatArray


def shrunk(of_topic: FloatArray, squares: FloatArray, free: FloatArray | float) -> FloatArray:
    """Return the variance of a document, shrunk towards the variance `of_topic` of its topic.

    `squares` is the sum of the document's squared deviations, and `free` is their degrees of freedom. The
    result is (4·of_topic + squares) / (4 + free) [Smyth, Statistical Applications in Genetics and Molecular
    Biology 3(1), 2004, section 4]. The weight 4 is fixed.
    """
    result: FloatArray = (PRIOR_WEIGHT * of_topic + squares) / (PRIOR_WEIGHT + free)
    return result


def spread_of(judgments: Judgments, normalized: FloatArray) -> Spread:
    """Return how much the log magnitudes of each document spread.

    With few judgments, the variance v of a document's log magnitudes is often close to 0 by chance. So v is
    shrunk towards the pooled variance of the document's topic, as in `shrunk`.

    The normalisation estimates U − 1 offsets for the U units of a topic. This makes the magnitudes of a
    document agree more than they should. So all variances of a topic with N judgments and D documents are
    multiplied by (N − D) / (N − D − U + 1).

    If N − D − U + 1 is not positive, the variance of the topic cannot be estimated. Then the documents of the
    topic get the pooled variance of the other topics, or 1 if there are none.
    """
    documents = Groups.by(judgments.table, ["topic_id", "document_id"])
    free = (documents.sizes - 1).astype(np.float64)
    squares = documents.deviations(np.log(normalized)) ** 2 * documents.sizes
    topics = Groups.by(judgments.table[documents.row], ["topic_id"])
    free_in_topic = np.bincount(topics.member, free)
    units = Groups.by(judgments.table, judgments.unit_keys)
    units_of_topic = np.bincount(documents.joined(topics).member[units.row])
    left = np.maximum(free_in_topic - units_of_topic + 1, 0)
    correction = np.divide(free_in_topic, left, out=np.zeros(len(left)), where=left > 0)
    squares *= correction[topics.member]
    free[left[topics.member] == 0] = 0
    # Sums of floats depend on the order of the terms, so the terms are added in ascending order.
    ascending = np.argsort(squares)
    total = squares[ascending].sum() / free.sum() if free.any() else 1.0
    of_topic = np.divide(
        np.bincount(topics.member[ascending], squares[ascending]),
        free_in_topic,
        out=np.full(len(free_in_topic), total),
        where=left > 0,
    )
    variance = shrunk(of_topic[topics.member], squares, free)
    return Spread(documents, topics, variance, of_topic, correction)

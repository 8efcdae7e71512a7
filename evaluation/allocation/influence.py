"""Compute how much the gain of each document changes the scores of the systems and their differences."""

from dataclasses import dataclass

import numpy as np
import scipy

from ..arrays import BoolArray, FloatArray
from ..measures import Measure, RankedLists
from ..measures.many_gains import values_of_many
from ..showing import short_repr
from .uncertainty import moved


def effects(measure: Measure, lists: RankedLists, error: FloatArray) -> FloatArray:
    """Return how much each run's mean score changes if a document's log gain changes by one standard error.

    The result is an array (runs, documents). `error` has the standard error of each document's log gain. The
    change is half the difference between two mean scores: with the gain g·exp(error) and with the gain
    g·exp(−error), while all other gains stay the same. The measure's own code computes both scores, so both
    take into account that the ideal list changes too. The gain of a document affects only the
    scores in its topic. So each call of the measure can use changed gains for several documents at once, one
    in each topic.
    """
    place = np.arange(len(lists.topic)) - np.searchsorted(lists.topic, lists.topic)
    values = values_of_many(measure, lists)
    changes = np.zeros((int(place.max(initial=0)) + 1, len(place)))
    changes[place, np.arange(len(place))] = error
    with_more, with_less = (values(moved(lists.gain, change)) for change in (changes, -changes))
    change = np.nan_to_num(with_more - with_less) / 2
    # A run's mean covers only the topics in which the run has a value.
    number = np.maximum((~np.isnan(measure.values(lists))).sum(axis=1), 1)
    effect: FloatArray = change[place, :, lists.topic].T / number[:, None]
    return effect


def mean_over_topics(values: FloatArray) -> FloatArray:
    """Return the means of an array (…, runs, topics) over the topics with a value, or 0 if there are none."""
    has_value = ~np.isnan(values)
    means: FloatArray = np.where(has_value, values, 0.0).sum(axis=-1) / np.maximum(has_value.sum(axis=-1), 1)
    return means


@short_repr
@dataclass(frozen=True, eq=False)
class Pairs:
    """The difference between the means of each pair of systems, and the standard error of this difference.

    Both are arrays (runs, runs).
    """

    difference: FloatArray
    error: FloatArray

    @classmethod
    def of(cls, means: FloatArray, effect: FloatArray) -> "Pairs":
        """Return the pairs of systems with these means. `effect` is the result of `effects`.

        The errors of the documents are independent. So the variance of a difference between two systems is
        a sum over the documents: each adds the squared difference between its effects on the two systems.
        """
        product = effect @ effect.T
        own = np.diag(product)
        variance = np.maximum(own[:, None] + own - 2 * product, 0)
        return cls(means[:, None] - means, np.sqrt(variance))

    def wrong(self) -> FloatArray:
        """Return, for each pair, the probability that the true order is the opposite of the measured one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.where(self.error > 0, np.abs(self.difference) / self.error, np.inf)
        wrong: FloatArray = scipy.stats.norm.sf(distance)
        return wrong

    def unsettled(self, level: float) -> BoolArray:
        """Return, for each pair, whether the measured order has a probability below `level`."""
        return 1 - self.wrong() < level


def needs(effect: FloatArray, pairs: Pairs, level: float) -> FloatArray:
    """Return, for each document, how much its uncertainty matters for the pairs that are not settled.

    The result, the need of the document, is a sum over these pairs. Each pair adds the product of two
    numbers: the document's share of the variance of the pair's difference, and twice the probability that the
    pair's order is wrong.
    """
    open_ = pairs.unsettled(level) & (pairs.error > 0)
    weight = np.zeros_like(pairs.error)
    np.divide(2 * pairs.wrong(), pairs.error**2, out=weight, where=open_)
    # The sum of w·(E_a − E_b)² over the pairs of systems is a quadratic form of the graph's Laplacian.
    laplacian = np.diag(weight.sum(axis=1)) - weight
    need: FloatArray = np.einsum("ad,ab,bd->d", effect, laplacian, effect, optimize=True)
    return np.maximum(need, 0)

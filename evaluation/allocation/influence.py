"""How much the gain of each document changes the scores of the systems, and the differences between them."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from evaluation.allocation.uncertainty import moved
from evaluation.arrays import BoolArray, FloatArray
from evaluation.measures import Measure, RankedLists
from evaluation.measures.many import values_of_many


def effects(measure: Measure, lists: RankedLists, error: FloatArray) -> FloatArray:
    """Return how much one standard error of a document's log gain changes each score (runs, documents).

    `error` (documents,) has the standard errors. The change is half the difference between the mean score
    with the gain g·exp(error) and with the gain g·exp(−error); all other gains stay the same. The measure's
    own code computes both, so the result includes the changes of the ideal list. A document changes only the
    scores in its topic. So one computation moves one document in each topic.
    """
    place = np.arange(len(lists.topic)) - np.searchsorted(lists.topic, lists.topic)
    values = values_of_many(measure, lists)
    changes = np.zeros((int(place.max(initial=0)) + 1, len(place)))
    changes[place, np.arange(len(place))] = error
    with_more, with_less = (values(moved(lists.gain, change)) for change in (changes, -changes))
    change = np.nan_to_num(with_more - with_less) / 2
    # The mean of a run is over its topics with a value.
    number = np.maximum((~np.isnan(measure.values(lists))).sum(axis=1), 1)
    effect: FloatArray = change[place, :, lists.topic].T / number[:, None]
    return effect


def mean_over_topics(values: FloatArray) -> FloatArray:
    """Return the means of values (…, runs, topics) over the topics with a value, or 0 if there are none."""
    has_value = ~np.isnan(values)
    means: FloatArray = np.where(has_value, values, 0.0).sum(axis=-1) / np.maximum(has_value.sum(axis=-1), 1)
    return means


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of systems (runs, runs): the difference of their means, and its standard error."""

    difference: FloatArray
    error: FloatArray

    @classmethod
    def of(cls, means: FloatArray, effect: FloatArray) -> "Pairs":
        """Return the pairs. `means` (runs,) and `effect` (runs, documents) are as `effects` returns them.

        The errors of the documents are independent, so the variance of a difference is the sum over documents
        of the squared difference of the effects.
        """
        product = effect @ effect.T
        own = np.diag(product)
        variance = np.maximum(own[:, None] + own - 2 * product, 0)
        return cls(means[:, None] - means, np.sqrt(variance))

    def wrong(self) -> FloatArray:
        """Return the probability that the true order of each pair is the other one (runs, runs)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.where(self.error > 0, np.abs(self.difference) / self.error, np.inf)
        wrong: FloatArray = stats.norm.sf(distance)
        return wrong

    def unsettled(self, level: float) -> BoolArray:
        """Return whether the order of each pair has a probability below `level` (runs, runs)."""
        return 1 - self.wrong() < level


def needs(effect: FloatArray, pairs: Pairs, level: float) -> FloatArray:
    """Return how much the uncertainty of each document matters for pairs that are not settled (documents,).

    For one pair, it is the share of the variance of the difference that comes from the document, times twice
    the probability that the order is wrong. The need is the sum of these over the pairs.
    """
    open_ = pairs.unsettled(level) & (pairs.error > 0)
    weight = np.zeros_like(pairs.error)
    np.divide(2 * pairs.wrong(), pairs.error**2, out=weight, where=open_)
    # Σ over pairs of w·(E_a − E_b)² is a quadratic form of the graph's Laplacian. Each pair occurs twice.
    laplacian = np.diag(weight.sum(axis=1)) - weight
    need: FloatArray = np.einsum("ad,ab,bd->d", effect, laplacian, effect, optimize=True)
    return np.maximum(need, 0)

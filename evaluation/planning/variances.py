"""The variance of the differences between runs, in studies that judge all documents or a sample of them."""

from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..measures import RankedLists
from ..sampling import Pool, inclusion_probabilities, influence
from ..sampling.inclusion import LEAST, capped
from ..sampling.linear import LinearMeasure
from .pilot import Pilot

_NUMBERS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50, 100)
"""The numbers of judgments whose noise is simulated. The noise of other numbers is interpolated."""
_SIMULATED: Final = 20_000
_MOST: Final = 50.0
"""The largest variance of a log gain that counts, so that the variance of the gain stays finite."""


@dataclass(frozen=True, eq=False)
class Variances:
    """What the variance of a difference between two runs depends on, from the documents of a pilot.

    `weights` (runs, documents) has the weight of a document's gain in the run's score for its topic.
    `influence` (documents,) is the root mean square of these weights over all pairs of runs. `squares`
    (documents,) is the mean square of the gain without noise, and `spread` is its mean squared distance from
    the mean gain of the topic. `noise` has the variance of a log gain, for each number of judgments in
    `_NUMBERS`. `places` is the number of places in a unit for documents that are not anchors.
    """

    pilot: Pilot
    weights: FloatArray
    influence: FloatArray
    squares: FloatArray
    spread: FloatArray
    noise: FloatArray
    places: int

    @classmethod
    def of(
        cls, pilot: Pilot, lists: RankedLists, linear: LinearMeasure, places: int, rng: np.random.Generator
    ) -> "Variances":
        """Return the variances for a pilot, its ranked lists, its measure and the places in a unit."""
        pool = _pool(pilot, lists, len(linear.weights))
        number = len(pilot.topics)
        gains = pilot.gains(pilot.levels)
        inside = (pool.ranks > 0).any(axis=0).astype(np.float64)
        topic = pilot.places
        sizes = np.maximum(np.bincount(topic, inside), 1)
        means = np.stack([np.bincount(topic, row * inside) for row in gains]) / sizes
        noise = [pilot.drawn(judgments, (_SIMULATED, 1), rng).var() for judgments in _NUMBERS]
        return cls(
            pilot,
            pool.weights(linear) * number,
            influence(pool, str(linear.measure)) * number,
            (gains**2).mean(axis=0),
            ((gains - means[:, topic]) ** 2).mean(axis=0),
            np.array(noise),
            places,
        )

    @property
    def score(self) -> float:
        """The mean score of all runs over the topics of the pilot."""
        gains = self.pilot.gains(self.pilot.levels).mean(axis=0)
        return float((self.weights @ gains).mean() / len(self.pilot.topics))

    def complete(self, judgments: float) -> FloatArray:
        """Return the variance of each document's gain in a study that judges all of them equally often."""
        return self._noise(np.full(len(self.squares), float(judgments)), 1.0)

    def adaptive(self, judgments: float, start: int) -> FloatArray:
        """Return the variance of each document's gain in an adaptive study.

        `judgments` is the mean number of judgments per document, and every document has at least `start`. The
        further judgments are spread so that the mean variance of a difference becomes as small as possible.
        This variance is about Σ u²·g²/n, where u is the influence of a document, g its gain, and n its number
        of judgments. So n is in proportion to u·g [Neyman, JRSS 1934]. It is at most the number of units of
        the topic, because a unit has a document only once.
        """
        other = ~self.pilot.is_anchor
        need = (self.influence * (np.sqrt(self.squares) if self.pilot.is_log else 1.0))[other]
        most = judgments * self.pilot.documents / self.places
        numbers = np.full(len(self.squares), float(judgments))
        most = max(most, judgments)
        numbers[other] = most * capped(need, judgments / most * len(need), start / most)
        return self._noise(numbers, 1.0)

    def sampled(self, share: float, judgments: int, explained: float) -> FloatArray:
        """Return what each document adds to the variance of a study that judges a sample.

        `share` is the share of documents that are judged, not counting the anchors, which are always in. With
        the chance π of `inclusion_probabilities`, a document adds (1 − π)/π·e² + v/π: e² is the mean squared
        error of the prediction of its gain, and v is the variance of its gain from the noise of its judgments
        [Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 1992, sections 6.3 and 9.3]. Without
        predictions, the mean of the topic predicts each gain. `explained` is the share of e² that better
        predictions remove.
        """
        anchors = self.pilot.is_anchor
        others = int((~anchors).sum())
        # Rounding must leave each document the least chance.
        budget = int(anchors.sum()) + max(round(share * others), ceil(LEAST * others))
        chances = inclusion_probabilities(self.influence, budget, always=anchors)
        noise = self._noise(np.full(len(self.squares), float(judgments)), share)
        added: FloatArray = ((1 - chances) * (1 - explained) * self.spread + noise) / chances
        return added

    def of_pairs(self, added: FloatArray) -> FloatArray:
        """Return the variance of the difference of each pair of runs in each topic (pairs, topics).

        `added` (documents,) is what each document adds, as the other methods return it.
        """
        first, second = np.triu_indices(len(self.weights), 1)
        by_topic = []
        for topic in range(len(self.pilot.topics)):
            own = self.pilot.places == topic
            weights = self.weights[:, own]
            product = (weights * added[own]) @ weights.T
            alone = np.diag(product)
            by_topic.append(alone[first] + alone[second] - 2 * product[first, second])
        variances: FloatArray = np.maximum(np.stack(by_topic, axis=1), 0)
        return variances

    def _noise(self, numbers: FloatArray, share: float) -> FloatArray:
        """Return the variance of each gain with this number of judgments (documents,).

        If ln gain has normal noise with the variance v, the variance of the gain is e^v − 1 times the square
        of its mean. If levels are gains, it is v. Moments of the simulated gains themselves would depend on
        the rarest residuals.

        Anchors have a judgment in each unit of their topic. `share` is the share of documents in the units.
        """
        anchors = self.pilot.is_anchor
        units = numbers.mean() * share * self.pilot.documents / self.places
        numbers = np.clip(np.where(anchors, units, numbers), 1, None)
        known = np.log(np.maximum(self.noise, np.finfo(float).tiny))
        logs = np.exp(np.interp(np.log(numbers), np.log(_NUMBERS), known))
        # Beyond the last simulated number, the variance is in inverse proportion to the number of judgments.
        logs = logs * np.minimum(1.0, _NUMBERS[-1] / numbers)
        of_anchors = np.where(anchors, self.pilot.anchor_noise**2, 1.0)
        levels: FloatArray = logs * self.pilot.offset_noise * of_anchors * self.pilot.relative_noise**2
        if not self.pilot.is_log:
            return levels
        variance: FloatArray = np.expm1(np.minimum(levels, _MOST)) * self.squares
        return variance


def _pool(pilot: Pilot, lists: RankedLists, depth: int) -> Pool:
    """Return the documents of the pilot with their ranks in each run down to the depth."""
    ranks = np.zeros((len(lists.runs), len(lists.topic)), dtype=np.int64)
    within = lists.rank <= depth
    runs: IntArray = lists.cell[within] // len(lists.topics)
    ranks[runs, lists.document[within]] = lists.rank[within]
    table = pl.DataFrame(
        {
            "topic_id": pl.Series(pilot.topics, dtype=pl.String)[pilot.places],
            "document_id": [str(number) for number in range(len(pilot.places))],
        }
    )
    return Pool(lists.runs, pilot.topics, depth, table, pilot.places, ranks)

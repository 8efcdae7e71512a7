"""The plausible true scores of the systems of a pilot, and how studies with noise would rank them."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import scipy

from ..arrays import FloatArray, IntArray
from ..comparison.results import levels_of_rows
from ..measures.many_gains import values_of_many
from .pilot import Pilot, cross_topic_variance

ALPHA: Final = 0.05
LEAST_SHARE: Final = 0.05


class Range(NamedTuple):
    """The mean of a number over simulated studies, and the range of the middle 90 % of its values."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Truths:
    """The scores of the systems, based on the pilot's plausible true levels.

    `scores` (draws, systems, topics) are scores minus the mean score in the topic. `means` (systems,) are the
    means of the systems over draws and topics, times `system_scale`. `deviations` (systems, topics) says how
    far a system's score in each topic is from the system's mean. `variance` is the variance of the systems'
    true means. `share` is `variance` divided by the variance of `means`, but at most 1.
    """

    pilot: Pilot
    scores: FloatArray
    means: FloatArray
    deviations: FloatArray
    variance: float
    share: float

    @classmethod
    def of(cls, pilot: Pilot) -> "Truths":
        """Return the scores of the pilot's runs. The pilot must have runs."""
        scores = _scores(pilot, pilot.gains(pilot.levels))
        by_topic = scores.mean(axis=0)
        means = by_topic.mean(axis=1)
        total = float((means**2).sum() / (len(means) - 1))
        # By the levels, systems differ too little. `system_scale` corrects this.
        variance = max(cross_topic_variance(by_topic), LEAST_SHARE * total)
        share = min(variance / total, 1.0) if total > 0 else 1.0
        scale = pilot.system_scale
        return cls(pilot, scores, means * scale, by_topic - means[:, None], variance * scale**2, share)

    @property
    def between(self) -> float:
        """The variance over topics of the true difference between two systems, as the mean over all pairs.

        The levels of a topic are drawn, so it has two parts: the variance over the draws of a topic, and the
        variance between the topics of the pilot.
        """
        within = self.scores.var(axis=0).mean(axis=1) + self.scores.mean(axis=0).var(axis=1, ddof=1)
        # Deviations sum to 0 over the systems. So the mean variance of differences is twice theirs.
        return float(2 * within.sum() / (len(within) - 1))

    def judged(self, noise: FloatArray) -> FloatArray:
        """Return the scores with this noise minus the scores without noise (draws, systems, topics)."""
        return _scores(self.pilot, self.pilot.gains(self.pilot.levels + noise)) - self.scores

    def taus(
        self, studies: tuple[FloatArray, FloatArray], topics: int, rng: np.random.Generator, times: int
    ) -> list[Range]:
        """Return τ with the true ranking, with the second of the two studies, and with very many topics.

        `studies` has two results of `judged`. Each τ is for the first of the two studies.
        """
        rows, chosen, own, true = self.draw(topics, rng, times)
        first, second = (true + study[rows, :, chosen].mean(axis=1) for study in studies)
        pairs = ((true, first), (second, first), (own, first))
        return [_range(_taus(reference, means)) for reference, means in pairs]

    def draw(
        self, topics: int, rng: np.random.Generator, times: int
    ) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
        """Draw the topics of `times` planned studies, and the true means of the systems.

        The results are the draw and the topic of the pilot for each planned topic (times, topics), the means
        of the systems over very many topics, and their means over the planned topics (times, systems).
        """
        draws, _, known = self.scores.shape
        rows = rng.integers(draws, size=(times, topics))
        chosen = rng.integers(known, size=(times, topics))
        own = self._own(rng, times)
        within = self.scores - self.scores.mean(axis=(0, 2))[None, :, None]
        return rows, chosen, own, own + within[rows, :, chosen].mean(axis=1)

    def _own(self, rng: np.random.Generator, times: int) -> FloatArray:
        """Return plausible means of the systems over very many topics (times, systems)."""
        topics = self.deviations.shape[1]
        random = rng.normal(size=(times, topics)) @ self.deviations.T
        spread = np.sqrt((random**2).sum(axis=1, keepdims=True) / (random.shape[1] - 1))
        unsure = np.sqrt(self.variance * (1 - self.share))
        random = np.divide(random, spread, out=np.zeros_like(random), where=spread > 0)
        own: FloatArray = self.share * self.means + unsure * random
        return own

    def power(self, study: FloatArray, topics: int, difference: float) -> float | None:
        """Return the power of a t-test over topics, or None for one topic or systems that never differ."""
        if topics < 2:
            return None
        scores = self.scores + study
        within = scores - scores.mean(axis=(0, 2))[None, :, None]
        # Deviations sum to 0 over the systems. So the mean variance of differences is twice theirs.
        systems = within.shape[1]
        deviation = np.sqrt(2 * (within**2).sum(axis=1).mean() / (systems - 1))
        if deviation == 0:
            return None  # all systems have the same scores, so there is nothing to tell apart
        return t_test_power(difference * np.sqrt(topics) / deviation, topics - 1)


def t_test_power(shift: float, freedom: float) -> float:
    """Return the power of a two-sided t-test with α = .05.

    `shift` is the true difference divided by its standard error. The test statistic has the noncentral t
    distribution with `freedom` degrees of freedom.
    """
    bound = scipy.stats.t.ppf(1 - ALPHA / 2, freedom)
    above, below = scipy.stats.nct.sf(bound, freedom, shift), scipy.stats.nct.cdf(-bound, freedom, shift)
    return float(np.clip(np.nan_to_num(above, nan=1.0) + np.nan_to_num(below), 0.0, 1.0))


def _scores(pilot: Pilot, gains: FloatArray) -> FloatArray:
    assert pilot.lists is not None
    assert pilot.measure is not None
    values = np.nan_to_num(values_of_many(pilot.measure, pilot.lists)(gains))
    deviations: FloatArray = values - values.mean(axis=1, keepdims=True)
    return deviations


def _taus(references: FloatArray, means: FloatArray) -> FloatArray:
    """Return Kendall's τ_b between each row of `references` and the same row of `means`.

    Both arrays have a column for each system. τ_b is NaN if all systems are tied in one of the two rows.
    """
    first, second = np.triu_indices(means.shape[1], 1)
    orders = [levels_of_rows(values).astype(np.int16) for values in (references, means)]
    one, other = (np.sign(levels[:, first] - levels[:, second]) for levels in orders)
    pairs = np.count_nonzero(one, axis=1) * np.count_nonzero(other, axis=1).astype(np.float64)
    taus: FloatArray = (one * other).sum(axis=1) / np.sqrt(np.where(pairs > 0, pairs, np.nan))
    return taus


def _range(taus: FloatArray) -> Range:
    known = taus[~np.isnan(taus)]
    if not known.size:
        return Range(float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(known, (0.05, 0.95))
    return Range(float(known.mean()), float(low), float(high))

"""The variance of estimated scores that comes from judging a random sample of the documents."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..showing import short_repr

OF_PREDICTIONS: Final = 0.25
"""How much the variance that the predictions imply counts, where it is the larger one.

With 0, means from predictions that are almost right hold in 93 % instead of 94 to 96 %. The measurements
are in docs/understanding/measurements/sampling.md.
"""


class DrawPart(NamedTuple):
    """What a draw adds to the error of a run's scores.

    `of_topics` (topics,) has the variance of the score in each topic, and `third` (topics,) its third central
    moment, as it enters the skewness of a mean divided by its estimated error.
    """

    of_topics: FloatArray
    third: FloatArray


@short_repr
@dataclass(frozen=True, eq=False)
class DrawVariance:
    """The documents, which of them were sampled, and what the variance of a sum over them is computed from.

    `weights` (runs, documents) has the weight of each document's gain in the run's score of its topic. The
    arrays `topic`, `chances`, `sampled`, `predicted`, `errors` and `noise` (documents,) have the index of its
    topic, its chance to be sampled, whether it was sampled, its predicted gain, its gain minus this
    prediction, and the variance of its gain from the noise of its judgments. The last two count for sampled
    documents only. A chance is NaN if it is unknown, which it can be for documents that were not sampled.
    `topics` is the number of topics. `is_fixed` says that the draw had a fixed size.
    """

    weights: FloatArray
    topic: IntArray
    topics: int
    chances: FloatArray
    sampled: BoolArray
    predicted: FloatArray
    errors: FloatArray
    noise: FloatArray
    is_fixed: bool

    def of(self, one: int, other: int | None = None) -> DrawPart | None:
        """Return the part of run `one`, or of the difference between the runs `one` and `other`.

        The variance of a sum over sampled documents is Σ (1 − π)·(w·e/π)², where e is the error of the
        prediction. With a fixed size, w·e/π is first reduced by its mean, weighted by 1 − π, and the sum is
        multiplied by n/(n − 1) [Hájek, Annals of Mathematical Statistics 1964]. The errors contain the noise
        of the judgments, which counts elsewhere. So its share, (1 − π)·v·(w/π)², is subtracted.

        A sample that misses the few documents with the largest errors makes this sum too small. If errors in
        proportion to the predictions would imply a larger sum, `OF_PREDICTIONS` of the gap is added.

        The third moment is Σ (1 − π)²·(w·e/π)³, the covariance of the estimate and its estimated variance.
        Return None if the variance is unknown: fewer than two documents, although some were left out.
        """
        weights = self.weights[one] if other is None else self.weights[one] - self.weights[other]
        drawn = self._drawn
        number = len(drawn)
        if number < 2:
            is_left_out = bool((weights[~self.sampled] != 0).any())
            return None if is_left_out else DrawPart(np.zeros(self.topics), np.zeros(self.topics))
        expanded, left = weights[drawn] / self.chances[drawn], 1 - self.chances[drawn]
        errors = expanded * self.errors[drawn]
        if self.is_fixed:
            errors = errors - (left @ errors) / left.sum()
        factor = number / (number - 1) if self.is_fixed else 1.0
        of_topics = self._sums(left * (factor * errors**2 - self.noise[drawn] * expanded**2))
        total, implied = float(of_topics.sum()), float(weights**2 @ self._implied)
        if 0 < total < implied:
            of_topics *= 1 + OF_PREDICTIONS * (implied / total - 1)
        return DrawPart(of_topics, self._sums(left**2 * errors**3))

    @cached_property
    def _drawn(self) -> IntArray:
        """The sampled documents whose chance was below 1."""
        return np.flatnonzero(self.sampled & (self.chances < 1))

    @cached_property
    def _implied(self) -> FloatArray:
        """The variance that each document would add if errors were in proportion to predictions (documents,).

        If the chances of documents that were not sampled are unknown, sampled ones count 1/π times.
        """
        drawn = self._drawn
        errors = (self.errors[drawn] ** 2 - self.noise[drawn]) / self.chances[drawn]
        square = float((self.predicted[drawn] ** 2 / self.chances[drawn]).sum())
        relative = max(0.0, float(errors.sum())) / square if square else 0.0
        of_document = relative * self.predicted**2 * (1 - self.chances) / self.chances
        if np.isnan(self.chances).any():
            of_document = np.where(self.sampled, of_document / self.chances, 0.0)
        return of_document

    def _sums(self, values: FloatArray) -> FloatArray:
        """Return the sum of the values of the drawn documents in each topic (topics,)."""
        return np.bincount(self.topic[self._drawn], values, minlength=self.topics).astype(np.float64)

"""The scores of runs as estimated from a sample, with intervals."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from ..arguments import refuse_level
from ..arrays import BoolArray, FloatArray, IntArray
from ..comparison.freedom import effective_freedom, student_quantile
from ..comparison.system_intervals import Target
from ..options import checked
from ..showing import short_repr
from ..text import Text
from .design import Design
from .inclusion import place_of

_NUMBERS: Final = {
    "topics": pl.Int64,
    **dict.fromkeys(("mean", "low", "high"), pl.Float64),
    "valid": pl.Boolean,
}


@checked
@short_repr
@dataclass(frozen=True, eq=False)
class SampledScores:
    """What a sample says about the runs' mean scores.

    `weights` (runs, documents) has the weight of each document's gain in each run's mean. The arrays
    `worth`, `chances`, `sampled`, `noise` and `topic` (documents,) have the gain, which is 0 for a document
    that was not sampled, the chance to be sampled, whether it was sampled, the variance of the gain from
    the noise of its judgments, and the index of the topic. `predicted` has a prediction of every gain, for
    each kind of evidence.
    """

    measure: str
    design: Design
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    topic: IntArray
    weights: FloatArray
    worth: FloatArray
    chances: FloatArray
    sampled: BoolArray
    noise: FloatArray
    predicted: dict[str, FloatArray]

    @checked
    def means(self, target: Target = "new_topics", *, level: float = 0.95) -> pl.DataFrame:
        """Return each run's mean over the topics of the pool with its interval, for each kind of evidence.

        The columns are `target, evidence, run, topics, mean, low, high, valid`. The kinds of evidence are:

        - `"predictions"`: the sampled gains, and the predictions for all documents. These rows are missing if
          there are no predictions.
        - `"people"`: the sampled gains alone.
        - `"filled"`: sampled gains count as they are, and every other document has its prediction as gain, or
          0 without predictions. This mean is biased: `valid` is false, and there is no interval.

        For the target `"new_topics"`, `low` and `high` are null if there are fewer than two topics. For both
        targets, they are null if the variance cannot be estimated, because fewer than two of the sampled
        documents had a chance below 1 although others were not sampled. Raise `InputError` for an unknown
        target and for a `level` outside (0, 1).
        """
        rows = [
            (target, evidence, run, len(self.topics), *self._summary(weights, evidence, target, level))
            for evidence in self.predicted
            for run, weights in zip(self.runs, self.weights, strict=True)
        ]
        schema = {**dict.fromkeys(("target", "evidence", "run"), pl.String), **_NUMBERS}
        return pl.DataFrame(rows, schema=schema, orient="row")

    @checked
    def difference(
        self, first: str, second: str, target: Target = "new_topics", *, level: float = 0.95
    ) -> pl.DataFrame:
        """Return the mean of run `first` minus the mean of run `second`, for each kind of evidence.

        The columns are `target, evidence, first, second, topics, mean, low, high, valid`, as in `means`.
        Raise `InputError` in the same cases as `means`, and for an unknown run.
        """
        weights = self.weights[place_of(self.runs, first)] - self.weights[place_of(self.runs, second)]
        number = len(self.topics)
        rows = [
            (target, evidence, first, second, number, *self._summary(weights, evidence, target, level))
            for evidence in self.predicted
        ]
        schema = {**dict.fromkeys(("target", "evidence", "first", "second"), pl.String), **_NUMBERS}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def notices(self) -> list[tuple[str, Text]]:
        """Return what to know about the estimates: pairs of a code and a sentence."""
        if "predictions" not in self.predicted:
            return []
        narrower = [
            self._error(weights, "predictions") <= self._error(weights, "people") for weights in self.weights
        ]
        if all(narrower):
            return []
        text = Text(
            "For {number} of {all} runs, the predictions make the interval wider. Use the rows of people "
            "alone.",
            number=str(narrower.count(False)),
            all=str(len(narrower)),
        )
        return [("predictions-widen-intervals", text)]

    def _error(self, weights: FloatArray, evidence: str) -> float:
        """Return the standard error of a mean on these topics."""
        return math.sqrt(self._variances(weights, evidence).sum())

    def _summary(
        self, weights: FloatArray, evidence: str, target: Target, level: float
    ) -> tuple[float, float | None, float | None, bool]:
        refuse_level(level)
        predicted = self.predicted[evidence]
        if evidence == "filled":
            return float(weights @ np.where(self.sampled, self.worth, predicted)), None, None, False
        parts = weights * (predicted + np.where(self.sampled, (self.worth - predicted) / self.chances, 0.0))
        number = len(self.topics)
        of_topics = number * np.bincount(self.topic, parts, minlength=number)
        mean = float(of_topics.mean())
        half = self._half_width(weights, evidence, level)
        if target == "new_topics":
            # The spread of the topics' estimates has the noise of the sample in it.
            spread = math.sqrt(of_topics.var(ddof=1) / number) if number > 1 else None
            wider = None if spread is None else student_quantile(level, number - 1) * spread
            half = None if half is None or wider is None else max(half, wider)
        bounds = (None, None) if half is None else (mean - half, mean + half)
        return mean, *bounds, True

    def _half_width(self, weights: FloatArray, evidence: str, level: float) -> float | None:
        is_left_out = bool((~self.sampled & (weights != 0)).any())
        if is_left_out and np.count_nonzero(self.sampled & (self.chances < 1)) < 2:
            return None
        variances = self._variances(weights, evidence)
        return student_quantile(level, effective_freedom(variances)) * math.sqrt(variances.sum())

    def _variances(self, weights: FloatArray, evidence: str) -> FloatArray:
        """Return what each topic adds to the variance of the mean (topics,).

        The design adds (1 − π)·(e/π)² for each sampled document, where e is its weighted error of prediction.
        With a fixed size, e/π is first reduced by its mean (Hájek), because the errors of one size cannot all
        be in the sample together. The noise of the judgments adds w²·v/π.
        """
        chosen, number = self.sampled, len(self.topics)
        chances, error = self.chances[chosen], (self.worth - self.predicted[evidence])[chosen]
        expanded = weights[chosen] * error / chances
        left = 1 - chances
        drawn = np.count_nonzero(left)
        if self.design == "systematic" and drawn > 1:
            expanded = expanded - (left @ expanded) / left.sum()
            left = left * drawn / (drawn - 1)
        added = left * expanded**2 + weights[chosen] ** 2 * self.noise[chosen] / chances
        return np.bincount(self.topic[chosen], added, minlength=number).astype(np.float64)

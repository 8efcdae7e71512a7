"""Compute the gains of documents from judgments with weights for the workers."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..conventions import Statistic
from ..frames import Judgments
from ..options import checked
from ..scales import scale_of
from .additive import TwoWay
from .anchors import anchor_magnitudes, anchor_rows
from .groups import Groups
from .normalisation import Method, methods_of, normalise


@dataclass(frozen=True, eq=False)
class Scales:
    """Normalised magnitudes in the form exp(a + b·z), where only a and b depend on the weights of workers.

    `z` has a value for each judgment. For the methods `geometric` and `zlog`, `low` has the logs of the
    magnitudes. For `anchors`, `low` and `high` have the logs of each unit's anchors N and H. Fields that a
    method does not need are None.

    All judgments of a topic have the same a and b. The value of a is the weighted mean of `low`, or 0 if
    `low` is None. If `high` is given, the value of b is the weighted mean of `high` − `low`. If `high` is
    None, b is 1 or, if `deviates` is true, the weighted standard deviation of `low`.

    The method `additive` has another form, exp(`log` − o), where o is the offset of the judgment's `unit`.
    This offset depends on all weights of the topic. `z` is `log` − o, with the offset for equal weights.
    """

    z: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    deviates: bool = False
    log: FloatArray | None = None
    unit: IntArray | None = None

    @classmethod
    @checked
    def of(cls, judgments: Judgments, method: Method | None) -> "Scales":
        """Return the normalised magnitudes of the judgments in this form.

        A `method` of None is the default of the scale. Without ratios, the form is a + b·z, and `mean` and
        `z` take the places of `geometric` and `zlog`.
        """
        scale = scale_of(judgments)
        method = next(iter(methods_of(scale))) if method is None else method
        logs = np.log(judgments.magnitudes) if scale.has_ratios else judgments.magnitudes
        units = Groups.by(judgments.table, judgments.unit_keys)
        if method == "none":
            return cls(logs)
        if method == "additive":
            return cls(np.log(normalise(judgments, method)), log=logs, unit=units.member)
        if method in ("geometric", "zlog", "mean", "z"):
            away = logs - units.sums(logs).means()[units.member]
            if method in ("geometric", "mean"):
                return cls(away, logs)
            spread = units.deviations(logs)[units.member]
            return cls(np.divide(away, spread, out=np.zeros_like(away), where=spread > 0), logs, None, True)
        low = np.log(anchor_magnitudes(judgments, units, "N"))[units.member]
        if method == "n":
            return cls(logs - low)
        high = np.log(anchor_magnitudes(judgments, units, "H"))[units.member]
        # Each unit must count once in the means of a and b. So only the row of its first anchor N has values.
        is_first = np.zeros(len(logs), dtype=np.bool_)
        is_first[anchor_rows(judgments, units, "N")] = True
        return cls(
            (logs - low) / (high - low), np.where(is_first, low, np.nan), np.where(is_first, high, np.nan)
        )

    def sorted(self, order: IntArray) -> "Scales":
        """Return the same values, with the judgments in this order."""
        low, high, log = (None if part is None else part[order] for part in (self.low, self.high, self.log))
        unit = None if self.unit is None else self.unit[order]
        return Scales(self.z[order], low, high, self.deviates, log, unit)


@checked
@dataclass(frozen=True, eq=False)
class WeightedJudgments:
    """Judgments sorted by document and then by z. `cluster` has the index of each judgment's worker."""

    scales: Scales
    cluster: IntArray
    starts: IntArray
    sizes: IntArray
    document: IntArray
    topic: IntArray
    statistic: Statistic

    @property
    def is_mean(self) -> bool:
        """Whether a gain is a mean, and not a median."""
        return self.statistic in ("gmean", "mean")

    def logs(self, weights: FloatArray) -> FloatArray:
        """Return the log gains (resamples, documents) for weights of the workers (resamples, workers).

        Without ratios, return the gains themselves.
        """
        of_row = weights[:, self.cluster]
        if self.scales.unit is not None:
            return np.stack([self._additive(weights_of_row) for weights_of_row in of_row])
        if self.is_mean:
            total = np.add.reduceat(of_row, self.starts, axis=1)
            middles = np.add.reduceat(of_row * self.scales.z, self.starts, axis=1) / total
        else:
            middles = weighted_medians(self.scales.z, of_row, self.starts, self.sizes)
        a, b = self._of_topics(of_row)
        logs: FloatArray = a[..., self.topic] + b[..., self.topic] * middles
        return logs

    @cached_property
    def _models(self) -> list[tuple[slice, IntArray, TwoWay]]:
        """For each topic: its rows, the first row of each unit, and the model of its documents and units."""
        log, unit = self.scales.log, self.scales.unit
        assert log is not None
        assert unit is not None
        topic = self.topic[self.document]
        ends = [*(np.flatnonzero(np.diff(topic)) + 1).tolist(), len(topic)]
        models = []
        for start, end in zip([0, *ends], ends, strict=False):
            _, first, units = np.unique(unit[start:end], return_index=True, return_inverse=True)
            own = self.document[start:end] - self.document[start]
            models.append((slice(start, end), first, TwoWay(log[start:end], units, own)))
        return models

    def _additive(self, weights: FloatArray) -> FloatArray:
        """Return each document's log gain under the method `additive`, for these weights of the judgments."""
        logs = np.empty(len(weights))
        for rows, first, model in self._models:
            logs[rows] = model.logs - model.offsets(weights[rows][first])[model.unit]
        if self.is_mean:
            sums = np.add.reduceat(weights * logs, self.starts)
            means: FloatArray = sums / np.add.reduceat(weights, self.starts)
            return means
        order = np.lexsort((logs, self.document))
        in_order = weights[order][None, :]
        medians: FloatArray = weighted_medians(logs[order], in_order, self.starts, self.sizes)[0]
        return medians

    def _of_topics(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a and b of `Scales`, each as an array (resamples, topics).

        `weights` are those of the judgments.
        """
        low, high = self.scales.low, self.scales.high
        first = np.searchsorted(self.topic, np.arange(int(self.topic.max()) + 1))
        if low is None:
            return np.zeros((1, len(first))), np.ones((1, len(first)))
        is_counted = ~np.isnan(low)
        weights = weights * is_counted
        starts = self.starts[first]

        def mean(values: FloatArray) -> FloatArray:
            sums = np.add.reduceat(weights * values, starts, axis=1)
            means: FloatArray = sums / np.add.reduceat(weights, starts, axis=1)
            return means

        a = mean(np.where(is_counted, low, 0))
        if high is not None:
            return a, mean(np.where(is_counted, high, 0)) - a
        if not self.scales.deviates:
            return a, np.ones((1, len(first)))
        # Squares of numbers far from 0 lose digits, so the variance is that of the distances from the mean.
        plain = np.bincount(self.topic[self.document], low) / np.bincount(self.topic[self.document])
        away = low - plain[self.topic[self.document]]
        variance = mean(away**2) - mean(away) ** 2
        return a, np.sqrt(np.maximum(variance, 0))


def weighted_medians(
    values: FloatArray, weights: FloatArray, starts: IntArray, sizes: IntArray
) -> FloatArray:
    """Return the weighted median of each group (resamples, groups), interpolated between two values.

    `values` are sorted in each group. The place of a value is the share of the weight below it plus half of
    its own share. The median is interpolated at the place ½. With equal weights, it is the middle value or
    the mean of the two middle values.
    """
    total = np.cumsum(weights, axis=1)
    ends = starts + sizes - 1
    before = total[:, starts] - weights[:, starts]
    half = (before + total[:, ends]) / 2
    place = total - weights / 2
    is_below = place < np.repeat(half, sizes, axis=1)
    below = np.add.reduceat(is_below, starts, axis=1, dtype=np.int64)
    low = starts + np.maximum(below - 1, 0)
    high = starts + np.minimum(below, sizes - 1)
    at_low, at_high = np.take_along_axis(place, low, axis=1), np.take_along_axis(place, high, axis=1)
    share = np.where(high > low, (half - at_low) / np.where(high > low, at_high - at_low, 1), 0)
    medians: FloatArray = values[low] + share * (values[high] - values[low])
    return medians


def codes(table: pl.DataFrame, columns: list[str]) -> list[IntArray]:
    """Return, for each column, the rank of each text in the order in which polars sorts texts."""
    return [(table[name].rank("dense").to_numpy() - 1).astype(np.int64) for name in columns]

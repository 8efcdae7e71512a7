"""Use a bootstrap over workers to estimate how much the gains depend on which workers judged.

Each resample gives every worker a random weight above 0, and computes all gains anew from the weighted
judgments. So every document keeps all its judgments, and has a gain in every resample.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray
from evaluation.errors import InputError
from evaluation.frames import Judgments
from evaluation.magnitudes.additive import TwoWay
from evaluation.magnitudes.anchors import anchor_rows
from evaluation.magnitudes.documents import KEYS, Statistic, gains, refuse_other_statistics
from evaluation.magnitudes.groups import Groups
from evaluation.magnitudes.normalisation import Method, normalise
from evaluation.options import checked
from evaluation.showing import short_repr

_AT_ONCE: Final = 2**19
"""The number of weighted judgments that are processed together. So few fit in the processor's cache."""
_LARGEST_SIMULATED: Final = 20
"""Documents with more judgments get the variance ratio of documents with this number of judgments."""
_SIMULATED: Final = 20_000
"""The number of magnitudes in the simulation of that ratio, so many that its error is 1 to 2 %."""
_ENOUGH: Final = 200
"""The number of magnitudes from which the distribution of the noise can be estimated."""


@short_repr
@dataclass(frozen=True, eq=False)
class GainsAnew:
    """The gains of a study, and how they vary in resamples. Documents are sorted by topic and id.

    `gain`, `topic` and `judgments` have one value for each document: its gain, the index of its topic, and
    the number of its judgments. `deviations` (resamples, documents) has ln gain in each resample minus ln
    gain without resampling, stretched as `judge_anew` explains. It is NaN for documents with a single
    judgment, because the noise of a single judgment cannot be estimated.
    """

    gain: FloatArray
    topic: IntArray
    judgments: IntArray
    deviations: FloatArray

    @cached_property
    def noise(self) -> FloatArray:
        """The noise of the gains, as factors (resamples, documents).

        The geometric mean of each document's factors is 1. If a gain is too large by chance, most of its
        resamples give a smaller gain. So a document's mean deviation reflects the error of its gain, and is
        subtracted from all its deviations. All factors of a document with a single judgment are 1.
        """
        factors: FloatArray = np.exp(np.nan_to_num(self.deviations - self.deviations.mean(axis=0)))
        return factors

    def centres(self, gain: FloatArray) -> FloatArray:
        """Return gains (…, documents) with the spread that they would have without noise.

        Noise increases the spread of gains. In each topic, the variance of ln gain over the documents is the
        variance without noise plus the variance of the noise. So each ln gain is moved towards the mean of
        its topic, until only the variance without noise is left [Louis, JASA 1984]. Noise that all documents
        of a topic share is ignored, because it does not change this spread. If the variance of ln gain is not
        larger than the variance of the noise, all gains of the topic become equal.
        """
        mean, away, spread = self._spread(np.log(gain))
        kept = np.sqrt(np.clip(1 - self._noise_spread / np.where(spread > 0, spread, np.inf), 0, 1))
        centres: FloatArray = np.exp(mean + kept[..., self.topic] * away)
        return centres

    @cached_property
    def _noise_spread(self) -> FloatArray:
        """The variance of ln noise over the documents of each topic, as a mean over resamples."""
        means: FloatArray = self._spread(np.log(self.noise))[-1].mean(axis=0)
        return means

    def _spread(self, logs: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the mean of each topic, the differences from these means, and the variance of each topic.

        The first two arrays (…, documents) have, for each document, the mean of its topic and the difference
        between its value in `logs` and this mean. The last array (…, topics) has the variances.
        """
        size = np.bincount(self.topic)
        starts = np.cumsum(size) - size
        mean = (np.add.reduceat(logs, starts, axis=-1) / size)[..., self.topic]
        away = logs - mean
        return mean, away, np.add.reduceat(away**2, starts, axis=-1) / np.maximum(size - 1, 1)


@checked
def judge_anew(
    judgments: Judgments,
    rng: np.random.Generator,
    *,
    method: Method | None = None,
    statistic: Statistic = "median",
    resamples: int = 1000,
) -> GainsAnew:
    """Return the gains of the judgments, and their deviations in resamples of the workers.

    In each resample, every worker gets a weight from the exponential distribution with a mean of 1 [the
    Bayesian bootstrap: Rubin, Annals of Statistics 1981]. All units of the worker have this weight. No weight
    is 0, so no document loses any of its judgments. A unit without a worker id has its own weight. Each
    resample normalises the magnitudes by `method` with these weights. Then it computes the gains from the
    weighted magnitudes. A gain is the weighted geometric mean of the document's magnitudes, or their weighted
    median, interpolated on a logarithmic scale.

    With few judgments, the variance of the bootstrap is wrong. For the geometric mean of n magnitudes, it is
    (n − 1)/(n + 1) times the true variance. So the deviations of each document are multiplied by the square
    root of a ratio: the true variance divided by the bootstrap's. For a median, a simulation gives the ratio.
    The same state of `rng` gives the same result, whatever the order of the judgments.

    Raise `InputError` for ratings, for a statistic that is neither `"median"` nor `"gmean"`, for fewer than
    two resamples, and in the same cases as `normalise`. Also raise it for the method `"model"`, which
    cannot use weights.
    """
    judgments.refuse_without_ratios()
    refuse_other_statistics(statistic)
    if resamples < 2:
        raise InputError(
            "too-few-resamples-of-workers",
            "resamples={resamples} is too small; give 2 or more",
            resamples=resamples,
        )
    if method == "model":
        raise InputError(
            "model-without-resamples",
            "the method {method} cannot be used with resamples of the workers; use another method",
            method=method,
        )
    normalised = normalise(judgments, method)
    table = judgments.table.with_columns(pl.Series("normalised", normalised))
    scales = _Scales.of(judgments, "geometric" if method is None else method)
    cluster = _clusters(judgments)
    order = np.lexsort((cluster, scales.z, *_codes(table, KEYS)[::-1]))
    rows = table[order].select(KEYS)
    starts = np.flatnonzero(rows.select(pl.struct(KEYS).rle_id().diff().fill_null(1) > 0).to_series())
    sizes = np.diff([*starts.tolist(), len(rows)])
    document = np.repeat(np.arange(len(starts)), sizes)
    topic = _codes(rows[starts], ["topic_id"])[0]
    weighted = _Weighted(scales.sorted(order), cluster[order], starts, sizes, document, topic, statistic)
    deviations = np.empty((resamples, len(starts)))
    plain = weighted.logs(np.ones((1, int(cluster.max()) + 1)))
    at_once = max(1, _AT_ONCE // len(rows))
    for start in range(0, resamples, at_once):
        number = min(at_once, resamples - start)
        weights = rng.standard_exponential((number, int(cluster.max()) + 1))
        deviations[start : start + number] = weighted.logs(weights) - plain
    deviations *= np.sqrt(_variance_ratios(weighted))
    gain = gains(judgments, normalised, statistic).values
    return GainsAnew(gain, topic, sizes, deviations)


def _variance_ratios(weighted: "_Weighted") -> FloatArray:
    """Return, for each document, the true variance of its log gain divided by the bootstrap's mean variance.

    For the geometric mean of n magnitudes, this ratio is (n + 1)/(n − 1). For a median, it comes from a
    simulation of documents with n judgments. The seed is fixed. The simulated noise is drawn from the
    differences between the `z` of a judgment and the mean `z` of its document. The result is NaN for
    documents with a single judgment.
    """
    sizes = weighted.sizes
    if weighted.statistic == "gmean":
        exact: FloatArray = np.where(sizes > 1, (sizes + 1) / np.maximum(sizes - 1, 1), np.nan)
        return exact
    z, starts = weighted.scales.z, weighted.starts
    away = z - np.repeat(np.add.reduceat(z, starts) / sizes, sizes)
    away *= np.sqrt(np.repeat(sizes / np.maximum(sizes - 1, 1), sizes))
    ratios = np.full(len(sizes), np.nan)
    for number in np.unique(np.minimum(sizes[sizes > 1], _LARGEST_SIMULATED)):
        is_like = sizes == number if number < _LARGEST_SIMULATED else sizes >= number
        own = away[np.repeat(is_like, sizes)]
        pool = own if len(own) >= _ENOUGH else away[np.repeat(sizes > 1, sizes)]
        ratios[is_like] = _variance_ratio(int(number), pool)
    return ratios


def _variance_ratio(number: int, noise: FloatArray) -> float:
    rng, documents, resamples = np.random.default_rng(number), _SIMULATED // number, 50
    values = np.sort(rng.choice(noise, size=(20 * documents, number)), axis=1)
    true = np.median(values, axis=1).var()
    starts, sizes = np.arange(documents) * number, np.full(documents, number)
    weights = rng.standard_exponential((resamples, documents * number))
    drawn = _medians(values[:documents].ravel(), weights, starts, sizes).var(axis=0, ddof=1).mean()
    return float(true / drawn) if drawn > 0 else 1.0


@dataclass(frozen=True, eq=False)
class _Scales:
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
    def of(cls, judgments: Judgments, method: Method) -> "_Scales":
        logs = np.log(judgments.magnitudes)
        units = Groups.by(judgments.table, judgments.unit_keys)
        if method == "none":
            return cls(logs)
        if method == "additive":
            return cls(np.log(normalise(judgments, method)), log=logs, unit=units.member)
        if method in ("geometric", "zlog"):
            away = logs - units.sums(logs).means()[units.member]
            if method == "geometric":
                return cls(away, logs)
            spread = units.deviations(logs)[units.member]
            return cls(np.divide(away, spread, out=np.zeros_like(away), where=spread > 0), logs, None, True)
        low = logs[anchor_rows(judgments, units, "N")][units.member]
        if method == "n":
            return cls(logs - low)
        high = logs[anchor_rows(judgments, units, "H")][units.member]
        # Each unit must count once in the means of a and b. So only the row of its anchor N has values.
        is_first = np.zeros(len(logs), dtype=np.bool_)
        is_first[anchor_rows(judgments, units, "N")] = True
        return cls(
            (logs - low) / (high - low), np.where(is_first, low, np.nan), np.where(is_first, high, np.nan)
        )

    def sorted(self, order: IntArray) -> "_Scales":
        """Return the same values, with the judgments in this order."""
        low, high, log = (None if part is None else part[order] for part in (self.low, self.high, self.log))
        unit = None if self.unit is None else self.unit[order]
        return _Scales(self.z[order], low, high, self.deviates, log, unit)


@dataclass(frozen=True, eq=False)
class _Weighted:
    """Judgments sorted by document and then by z. `cluster` has the index of each judgment's worker."""

    scales: _Scales
    cluster: IntArray
    starts: IntArray
    sizes: IntArray
    document: IntArray
    topic: IntArray
    statistic: Statistic

    def logs(self, weights: FloatArray) -> FloatArray:
        """Return the log gains (resamples, documents) for weights of the workers (resamples, workers)."""
        of_row = weights[:, self.cluster]
        if self.scales.unit is not None:
            return np.stack([self._additive(weights_of_row) for weights_of_row in of_row])
        if self.statistic == "gmean":
            total = np.add.reduceat(of_row, self.starts, axis=1)
            middles = np.add.reduceat(of_row * self.scales.z, self.starts, axis=1) / total
        else:
            middles = _medians(self.scales.z, of_row, self.starts, self.sizes)
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
        if self.statistic == "gmean":
            sums = np.add.reduceat(weights * logs, self.starts)
            means: FloatArray = sums / np.add.reduceat(weights, self.starts)
            return means
        order = np.lexsort((logs, self.document))
        medians: FloatArray = _medians(logs[order], weights[order][None, :], self.starts, self.sizes)[0]
        return medians

    def _of_topics(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a and b of `_Scales`, each as an array (resamples, topics).

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


def _medians(values: FloatArray, weights: FloatArray, starts: IntArray, sizes: IntArray) -> FloatArray:
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


def _codes(table: pl.DataFrame, columns: list[str]) -> list[IntArray]:
    """Return, for each column, the rank of each text in the order in which polars sorts texts."""
    return [(table[name].rank("dense").to_numpy() - 1).astype(np.int64) for name in columns]


def _clusters(judgments: Judgments) -> IntArray:
    """Return the index of each judgment's worker. A unit without a worker id counts as a separate worker."""
    table = judgments.table
    unit = pl.struct(pl.lit(""), "topic_id", "unit_id")
    if "worker_id" in table.columns:
        is_named = pl.col("worker_id") != ""
        named = pl.struct(literal="worker_id", topic_id=pl.lit(""), unit_id=pl.lit(""))
        unit = pl.when(is_named).then(named).otherwise(unit)
    return (table.select(unit.rank("dense")).to_series().to_numpy() - 1).astype(np.int64)

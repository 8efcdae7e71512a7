"""Use a bootstrap over workers to estimate how much the gains depend on which workers judged.

Each resample gives every worker a random weight above 0, and computes all gains anew from the weighted
judgments. So every document keeps all its judgments, and has a gain in every resample.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..conventions import Statistic
from ..errors import InputError
from ..frames import Judgments
from ..options import checked
from ..pairwise.worths import topic_fits
from ..scales import scale_of
from ..showing import short_repr
from .document_gains import KEYS, gains, refuse_other_statistics, statistic_of
from .normalisation import Method, normalise
from .weighted_judgments import Scales, WeightedJudgments, codes, weighted_medians

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

    If `is_log` is false, ratios of gains have no meaning, and all this holds for gains instead of ln gain.
    """

    gain: FloatArray
    topic: IntArray
    judgments: IntArray
    deviations: FloatArray
    is_log: bool = True

    @cached_property
    def noise(self) -> FloatArray:
        """The noise of the gains, as factors or, without logarithms, as terms (resamples, documents).

        The geometric mean of each document's factors is 1, and the mean of its terms is 0. If a gain is too
        large by chance, most of its resamples give a smaller gain. So a document's mean deviation reflects
        the error of its gain, and is subtracted from all its deviations. A document with a single judgment
        has no noise.
        """
        terms: FloatArray = np.nan_to_num(self.deviations - self.deviations.mean(axis=0))
        return np.exp(terms) if self.is_log else terms

    def with_noise(self, gain: FloatArray, noise: FloatArray) -> FloatArray:
        """Return gains with this noise, which is part of `noise`. No gain is negative."""
        return gain * noise if self.is_log else np.maximum(gain + noise, 0)

    def pooled(self) -> "GainsAnew":
        """Return the same gains with deviations whose spread is pooled over documents with as many judgments.

        The spread of a document's deviations comes from its few judgments, and so varies by chance. If gains
        are not divided by those of an ideal list, the documents with the largest spread by chance dominate
        the noise of a score. So each document's deviations are scaled to the root mean square spread of all
        documents with the same number of judgments.
        """
        away = self.deviations - self.deviations.mean(axis=0)
        spread = np.sqrt((away**2).mean(axis=0))
        number = np.unique(self.judgments, return_inverse=True)[1]
        known = np.isfinite(spread)
        squares = np.bincount(number, np.where(known, spread, 0.0) ** 2) / np.maximum(
            np.bincount(number, known), 1
        )
        scale = np.divide(np.sqrt(squares)[number], spread, out=np.ones_like(spread), where=spread > 0)
        return replace(self, deviations=away * scale)

    def centres(self, gain: FloatArray) -> FloatArray:
        """Return gains (…, documents) with the spread that they would have without noise.

        Noise increases the spread of gains. In each topic, the variance of ln gain over the documents is the
        variance without noise plus the variance of the noise. So each ln gain is moved towards the mean of
        its topic, until only the variance without noise is left [Louis, JASA 1984]. Noise that all documents
        of a topic share is ignored, because it does not change this spread. If the variance of ln gain is not
        larger than the variance of the noise, all gains of the topic become equal.
        """
        mean, away, spread = self._spread(np.log(gain) if self.is_log else gain)
        kept = np.sqrt(np.clip(1 - self._noise_spread / np.where(spread > 0, spread, np.inf), 0, 1))
        centres: FloatArray = mean + kept[..., self.topic] * away
        return np.exp(centres) if self.is_log else np.maximum(centres, 0)

    @cached_property
    def _noise_spread(self) -> FloatArray:
        """The variance of the noise of ln gain over the documents of each topic, as a mean over resamples."""
        terms = np.log(self.noise) if self.is_log else self.noise
        means: FloatArray = self._spread(terms)[-1].mean(axis=0)
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
    statistic: Statistic | None = None,
    resamples: int = 1000,
) -> GainsAnew:
    """Return the gains of the judgments, and their deviations in resamples of the workers.

    In each resample, every worker gets a weight from the exponential distribution with a mean of 1 [the
    Bayesian bootstrap: Rubin, Annals of Statistics 1981]. All units of the worker have this weight. No weight
    is 0, so no document loses any of its judgments. A unit without a worker id has its own weight. Each
    resample normalises the magnitudes by `method` with these weights. Then it computes the gains from the
    weighted magnitudes. A gain is the weighted geometric mean of the document's magnitudes, or their weighted
    median, interpolated on a logarithmic scale. For numbers without ratios, it is their weighted mean or
    median.

    With few judgments, the variance of the bootstrap is wrong. For the geometric mean of n magnitudes, it is
    (n − 1)/(n + 1) times the true variance. So the deviations of each document are multiplied by the square
    root of a ratio: the true variance divided by the bootstrap's. For a median, a simulation gives the ratio.
    If a judgment compares two documents, a weight of w moves the worths by w − 1 times the influence of the
    worker's comparisons (`pairwise.Fit.influence`), so that nothing is fitted again [the score bootstrap:
    Kline & Santos, Journal of Econometric Methods 2012]. A document then counts as judged once in each unit.

    The same state of `rng` gives the same result, whatever the order of the judgments.

    Raise `InputError` for a statistic whose noise cannot be estimated, for fewer than two resamples, and in
    the same cases as `normalise`. Also raise it for the method `"model"`, which cannot use weights.
    """
    statistic = statistic_of(judgments, statistic)
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
    is_log = scale_of(judgments).gains_have_ratios(statistic)
    if scale_of(judgments).compares_pairs:
        return _pairs_anew(judgments, rng, statistic, resamples, is_log=is_log)
    table = judgments.table.with_columns(pl.Series("normalised", normalised))
    scales = Scales.of(judgments, method)
    cluster = _clusters(judgments)
    order = np.lexsort((cluster, scales.z, *codes(table, KEYS)[::-1]))
    rows = table[order].select(KEYS)
    starts = np.flatnonzero(rows.select(pl.struct(KEYS).rle_id().diff().fill_null(1) > 0).to_series())
    sizes = np.diff([*starts.tolist(), len(rows)])
    document = np.repeat(np.arange(len(starts)), sizes)
    topic = codes(rows[starts], ["topic_id"])[0]
    weighted = WeightedJudgments(
        scales.sorted(order), cluster[order], starts, sizes, document, topic, statistic
    )
    deviations = np.empty((resamples, len(starts)))
    plain = weighted.logs(np.ones((1, int(cluster.max()) + 1)))
    at_once = max(1, _AT_ONCE // len(rows))
    for start in range(0, resamples, at_once):
        number = min(at_once, resamples - start)
        weights = rng.standard_exponential((number, int(cluster.max()) + 1))
        deviations[start : start + number] = weighted.logs(weights) - plain
    deviations *= np.sqrt(_variance_ratios(weighted))
    gain = gains(judgments, normalised, statistic).values
    return GainsAnew(gain, topic, sizes, deviations, is_log)


def _pairs_anew(
    judgments: Judgments, rng: np.random.Generator, statistic: Statistic, resamples: int, *, is_log: bool
) -> GainsAnew:
    """Return the gains of judgments that compare two documents, and their deviations in resamples."""
    worker = _clusters(judgments)
    away = rng.standard_exponential((resamples, int(worker.max()) + 1)) - 1
    moved, topics, units = [], [], []
    for place, of_topic in enumerate(topic_fits(judgments)):
        own, cluster = np.unique(worker[of_topic.rows], return_inverse=True)
        moved.append(away[:, own] @ of_topic.influence(cluster, statistic))
        topics.append(np.full(len(of_topic.documents), place))
        units.append(of_topic.units)
    gain = gains(judgments, statistic=statistic).values
    return GainsAnew(
        gain, np.concatenate(topics), np.concatenate(units), np.concatenate(moved, axis=1), is_log
    )


def _variance_ratios(weighted: "WeightedJudgments") -> FloatArray:
    """Return, for each document, the true variance of its log gain divided by the bootstrap's mean variance.

    For the geometric mean of n magnitudes, this ratio is (n + 1)/(n − 1). For a median, it comes from a
    simulation of documents with n judgments. The seed is fixed. The simulated noise is drawn from the
    differences between the `z` of a judgment and the mean `z` of its document. The result is NaN for
    documents with a single judgment.
    """
    sizes = weighted.sizes
    if weighted.is_mean:
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
    drawn = weighted_medians(values[:documents].ravel(), weights, starts, sizes).var(axis=0, ddof=1).mean()
    return float(true / drawn) if drawn > 0 else 1.0


def _clusters(judgments: Judgments) -> IntArray:
    """Return the index of each judgment's worker. A unit without a worker id counts as a separate worker."""
    table = judgments.table
    unit = pl.struct(pl.lit(""), "topic_id", "unit_id")
    if "worker_id" in table.columns:
        is_named = pl.col("worker_id") != ""
        named = pl.struct(literal="worker_id", topic_id=pl.lit(""), unit_id=pl.lit(""))
        unit = pl.when(is_named).then(named).otherwise(unit)
    return (table.select(unit.rank("dense")).to_series().to_numpy() - 1).astype(np.int64)

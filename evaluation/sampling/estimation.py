"""Estimate the scores of runs from the gains of a sample."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import polars as pl
import scipy

from ..arrays import BoolArray, FloatArray, IntArray
from ..comparison.draw_variance import DrawVariance
from ..comparison.system_intervals import SystemIntervals, factors, resampled
from ..conventions import WORKER_RESAMPLES, Design, Statistic
from ..errors import InputError, shown
from ..frames import Gains, Judgments
from ..inclusion_table import Inclusion
from ..magnitudes.document_gains import gains as gains_of_judgments
from ..magnitudes.gains_anew import GainsAnew, judge_anew
from ..magnitudes.normalisation import Method, normalise
from ..measures import Measures, several
from ..options import checked
from ..origin import first
from ..pairs import PAIR
from ..runs import Run, Runs, as_runs
from ..scales import scale_of
from ..sources import Source
from .calibration import calibrated
from .chances import inclusion_of, refuse_without_chance
from .linear import LinearMeasure
from .pool import Pool, pool_of
from .predictions import predictions_of
from .result import SampledScores

_UNKNOWN: Final = float("inf")
"""The number of judgments of a document, if only the gains are known."""


@checked
def estimate(
    gains: Source,
    runs: Source,
    measures: Measures,
    inclusion: Source,
    *,
    predictions: Sequence[Source] = (),
    design: Design = "systematic",
    method: Method | None = None,
    statistic: Statistic | None = None,
    resamples: int = WORKER_RESAMPLES,
    seed: int = 0,
) -> dict[str, SampledScores]:
    """Return the runs' scores as estimated from a sample, by measure, with what their intervals need.

    `gains` has the gains of the sampled documents. Other gains are ignored. If it is `Judgments`, their gains
    are computed as by `normalise` and `gains`, with this `method` and `statistic`, and intervals cover the
    noise of the judgments, which `resamples` of the workers show. Otherwise, they do not. A `method` of None
    is that of `method_of_sample`.

    `inclusion` is a `Sample`, or any source of the columns `topic_id, document_id, inclusion, sampled`. If it
    lacks the column `sampled`, all its documents were sampled, and the rest of the pool is that of the runs.
    `design` says how the documents of such a source were drawn. `predictions` are sources of numbers for
    every document, such as the grades of a model or the gains of another study.

    The estimate of a score in a topic is Σ w·(f + z·(g − f)/π) over its documents: w is the weight of the
    gain g, f its prediction by `calibrated`, π the chance, and z is 1 for sampled documents and 0 for all
    others [the difference estimator: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 1992,
    section 6.3]. The topics are those of the pool. A topic without gain counts 0, unless every chance in it
    was 1. Then it has no score, as in `score`.

    Raise `InputError` for arguments that cannot be read, for a measure that is not linear in gains, for
    invalid chances, if a sampled document has no gain, if a retrieved document had no chance, if a document
    has no prediction, and if the gains are too large to add up.
    """
    linear = {str(item): LinearMeasure.of(str(item)) for item in several(measures)}
    chances, design = inclusion_of(inclusion, design)
    is_certain = bool((chances.table["inclusion"] == 1).all()) and chances.is_whole
    if method is None and not is_certain:
        method = method_of_sample(gains)
    read = Runs([run if isinstance(run, Run) else run() for run in as_runs(runs)])
    pool = pool_of(read, max(len(measure.weights) for measure in linear.values()))
    refuse_without_chance(chances, pool)
    data = _Data.of(chances, pool, gains, method, statistic)
    columns = predictions_of(predictions, data.table)
    anew = None
    if isinstance(gains, Judgments):
        rng = np.random.default_rng(seed % 2**64)
        anew = judge_anew(gains, rng, method=method, statistic=statistic, resamples=resamples)
        anew = anew if is_certain else anew.pooled()
    return {
        name: _Estimating(name, measure, data, columns, design, anew, method).scores()
        for name, measure in linear.items()
    }


def method_of_sample(gains: Source) -> Method | None:
    """Return how the judgments of a sample are normalised by default, or None for the default of the scale.

    A sampled topic has few units, and what else is in a unit depends on the sample. The method "geometric"
    moves each unit to the mean of its topic, which would bias gains by some 20 %; "additive" does not.
    """
    return "additive" if isinstance(gains, Judgments) and scale_of(gains).has_ratios else None


class _Data(NamedTuple):
    """The documents with their chances and gains, and the ranks that the runs give them.

    `table` has the columns `topic_id, document_id`. `topic`, `chances`, `sampled` and `gain` (documents,)
    belong to its rows; the gain of a document that was not sampled is 0. `pool` has the runs' documents, and
    `place` (documents of `pool`,) the row of each in `table`, or −1 for a document of another topic.
    `judged_at` (judged documents,) has the row in `table` of each document with a gain, or −1 if it was not
    sampled, `judged_gain` its gain, and `judged_topic` the index of its topic, or −1. `is_certain` (topics,)
    marks the topics in which every chance was 1.
    """

    table: pl.DataFrame
    topics: tuple[str, ...]
    topic: IntArray
    chances: FloatArray
    sampled: BoolArray
    gain: FloatArray
    pool: Pool
    place: IntArray
    judged_at: IntArray
    judged_gain: FloatArray
    judged_topic: IntArray
    is_certain: BoolArray

    @classmethod
    def of(
        cls,
        inclusion: Inclusion,
        pool: Pool,
        source: Source,
        method: Method | None,
        statistic: Statistic | None,
    ) -> "_Data":
        """Join the chances with the gains and the runs. Raise `InputError` if a sampled one has no gain."""
        known = source
        if isinstance(source, Judgments):
            known = gains_of_judgments(source, normalise(source, method), statistic)
        judged = Gains(known).table.select(*PAIR, "gain")
        rows = inclusion.table.join(judged, on=PAIR, how="left", maintain_order="left")
        if (row := first(rows["sampled"].to_numpy() & rows["gain"].is_null().to_numpy())) is not None:
            topic, document = rows.select(PAIR).row(row)
            raise _without_gain(source, inclusion.origin.at(row), shown(document), shown(topic))
        if not inclusion.is_whole:
            others = pool.table.join(rows, on=PAIR, how="anti").with_columns(
                inclusion=pl.lit(None, pl.Float64), sampled=pl.lit(value=False), gain=pl.lit(None, pl.Float64)
            )
            rows = pl.concat([rows, others.select(rows.columns)])
        rows = rows.sort(PAIR)
        placed = rows.select(PAIR).with_row_index("row")
        topics = tuple(rows["topic_id"].unique(maintain_order=True))
        topic = rows["topic_id"].rle_id().to_numpy().astype(np.int64)
        sampled = rows["sampled"].to_numpy()
        chances = rows["inclusion"].cast(pl.Float64).fill_null(np.nan).to_numpy()
        is_certain = np.bincount(topic, ~(sampled & (chances == 1)), minlength=len(topics)) == 0
        return cls(
            rows.select(PAIR),
            topics,
            topic,
            chances,
            sampled,
            np.where(sampled, rows["gain"].fill_null(0.0).to_numpy(), 0.0),
            pool,
            _places(pool.table, placed),
            _places(judged, placed.filter(pl.Series(sampled))),
            judged["gain"].to_numpy(),
            judged["topic_id"].replace_strict(topics, range(len(topics)), default=-1).to_numpy(),
            is_certain,
        )

    def weights(self, measure: LinearMeasure) -> FloatArray:
        """Return the weight of each document's gain in each run's score of its topic (runs, documents)."""
        weights = np.zeros((len(self.pool.runs), len(self.topic)))
        known = self.place >= 0
        # `Pool.weights` are those of a mean over the pool's topics.
        weights[:, self.place[known]] = (self.pool.weights(measure) * len(self.pool.topics))[:, known]
        return weights


def _without_gain(source: Source, where: str, document: str, topic: str) -> InputError:
    """Return the error for a sampled document without a gain. Judgments may still come."""
    if isinstance(source, Judgments):
        return InputError(
            "sampled-document-not-judged",
            "document {document} of topic {topic} was sampled, but no judgment of it counts yet; the scores "
            "can be "
            "estimated once all sampled documents are judged",
            document=document,
            topic=topic,
        )
    return InputError(
        "sampled-document-without-gain",
        "document {document} of topic {topic} was sampled but has no gain; add its gain",
        where,
        document=document,
        topic=topic,
    )


def _places(table: pl.DataFrame, placed: pl.DataFrame) -> IntArray:
    """Return the row in `placed` of each document of `table`, or −1."""
    joined = table.join(placed, on=PAIR, how="left", maintain_order="left")
    return joined["row"].cast(pl.Int64).fill_null(-1).to_numpy()


class _Estimating:
    """The estimation of the scores by one measure."""

    def __init__(
        self,
        name: str,
        measure: LinearMeasure,
        data: _Data,
        columns: FloatArray,
        design: Design,
        anew: GainsAnew | None,
        method: Method | None,
    ) -> None:
        self.method = method
        self.name, self.measure, self.data, self.anew = name, measure, data, anew
        self.columns, self.design = columns, design
        self.worth = np.where(data.sampled, measure.worth(data.gain), 0.0)
        self.weights = data.weights(measure)
        has_gain = data.judged_topic[measure.worth(data.judged_gain) > 0]
        self.without_gain = data.is_certain & ~np.isin(np.arange(len(data.topics)), has_gain)

    def scores(self) -> SampledScores:
        """Return the estimates for each kind of evidence."""
        data = self.data
        parts = self.worth, data.chances, data.sampled, data.topic
        is_fixed = self.design == "systematic"
        predicted: dict[str, FloatArray] = {}
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.columns.shape[1]:
                predicted["predictions"] = calibrated(*parts, self.columns, is_fixed=is_fixed)
            predicted["people"] = calibrated(*parts, np.zeros((len(self.worth), 0)), is_fixed=is_fixed)
            squares = [(self.worth[data.sampled] / data.chances[data.sampled]) ** 2]
            squares += [values**2 for values in predicted.values()]
        if not np.isfinite(np.concatenate(squares).sum()):
            raise InputError(
                "gains-too-large-to-add",
                "the gains are too large to add up in {measure}; divide all gains by the same number",
                measure=self.name,
            )
        intervals = {evidence: self._intervals(values) for evidence, values in predicted.items()}
        filling = predicted.get("predictions", np.zeros(len(self.worth)))
        filled = self._sums(self.weights * np.where(data.sampled, self.worth, filling))
        counts = len(data.topic), int(data.sampled.sum())
        return SampledScores(
            self.name,
            data.pool.runs,
            data.topics,
            intervals,
            filled,
            *counts,
            self.anew is not None,
            self.method,
        )

    def _intervals(self, predicted: FloatArray) -> SystemIntervals:
        data = self.data
        errors = np.where(data.sampled, self.worth - predicted, 0.0)
        expanded = np.divide(errors, data.chances, out=np.zeros_like(errors), where=data.sampled)
        observed = self._sums(self.weights * (predicted + expanded))
        noise = self._noise
        draw = DrawVariance(
            self.weights,
            data.topic,
            len(data.topics),
            *(data.chances, data.sampled, predicted, errors, noise.variances),
            self.design == "systematic",
        )
        return SystemIntervals(
            self.name,
            data.pool.runs,
            data.topics,
            observed,
            observed * (1 - noise.factors),
            noise.deviations,
            noise.judgments,
            noise.single,
            None if (data.chances == 1).all() else draw,
        )

    def _sums(self, values: FloatArray) -> FloatArray:
        """Return the sums of values (runs, documents) in each topic (runs, topics), or NaN without gain."""
        starts = np.searchsorted(self.data.topic, np.arange(len(self.data.topics)))
        sums: FloatArray = np.add.reduceat(values, starts, axis=-1)
        return np.where(self.without_gain, np.nan, sums)

    @cached_property
    def _noise(self) -> "_Noise":
        """What the resamples of the workers show, with the documents weighted as in the estimate."""
        data, anew = self.data, self.anew
        shape = len(data.pool.runs), len(data.topics)
        if anew is None:
            none = np.zeros((2, 1, *shape))
            return _Noise(np.zeros(len(data.topic)), np.ones((shape[0], 1)), none, _UNKNOWN, 0.0)
        judged = np.flatnonzero(data.judged_at >= 0)
        at = data.judged_at[judged]
        variances = np.zeros(len(data.topic))
        variances[at] = self.measure.worth(anew.with_noise(anew.gain, anew.noise))[:, judged].var(axis=0)
        expanded = self.weights[:, at] / data.chances[at]
        cells = np.arange(shape[0])[:, None] * shape[1] + data.topic[at]
        columns = np.broadcast_to(judged, cells.shape)
        size = shape[0] * shape[1], len(anew.gain)
        product = scipy.sparse.csr_array((expanded.ravel(), (cells.ravel(), columns.ravel())), shape=size)

        def values(gains: FloatArray) -> FloatArray:
            sums = np.asarray(product @ self.measure.worth(gains).T).T.reshape(len(gains), *shape)
            return np.where(self.without_gain, np.nan, sums)

        centres = anew.centres(anew.gain)
        base = values(centres[None])[0]
        of_resamples, corrected = resampled(values, anew, centres)
        return _Noise(
            variances,
            factors(base, of_resamples.mean(axis=0)),
            corrected - corrected.mean(axis=1, keepdims=True),
            float(np.median(anew.judgments[judged])),
            float((anew.judgments[judged] == 1).mean()),
        )


class _Noise(NamedTuple):
    """The noise of the judgments: of each gain, and of the scores as `SystemIntervals` has it."""

    variances: FloatArray
    factors: FloatArray
    deviations: FloatArray
    judgments: float
    single: float

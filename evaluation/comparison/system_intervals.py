"""Compute confidence intervals of systems' mean scores, and of the differences between two systems.

Scores computed from noisy gains are biased. Noise raises the scores of the ideal list more than those of the
systems, so nDCG is too low. The intervals here correct this bias. Each interval has one of two targets: new
topics, or the same topics judged by other workers.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
import polars as pl

from ..arguments import refuse_level
from ..arrays import BoolArray, FloatArray
from ..conventions import Statistic, Ties
from ..errors import InputError, shown
from ..frames import Judgments
from ..magnitudes.document_gains import gains
from ..magnitudes.gains_anew import GainsAnew, judge_anew
from ..magnitudes.normalisation import WITH_ANCHORS, Method, normalise
from ..measures import Measure, Measures, as_printed, bounds_of, parse, several
from ..measures.many_gains import Batch, values_of_many
from ..options import checked
from ..ranking import rank
from ..showing import short_repr
from ..sources import Source
from ..text import Text
from .draw_variance import DrawPart, DrawVariance
from .freedom import effective_freedom, skewed_bounds, student_quantile
from .results import without_scale

Target = Literal["new_topics", "these_topics"]
TARGETS: Final = get_args(Target)
"""The targets of an interval. The first is the default."""
FEW: Final = 5
"""If documents have a median of fewer judgments than this, a notice comes with the intervals."""
COVERAGE: Final[dict[Target, float]] = {"new_topics": 0.94, "these_topics": 0.94}
"""The lowest coverage of 95 % intervals that was measured with 3 judgments of each document.

It is the mean over five runs. The measurements are in docs/understanding/measurements/intervals.md.
"""
_MOST_SINGLE: Final = 0.5
"""If a larger share of the documents has one judgment, there is no interval for these topics."""
_AT_ONCE: Final = 100
"""The number of resamples that are scored together."""


class _Parts(NamedTuple):
    """The part of `SystemIntervals` that one mean or difference needs."""

    observed: FloatArray
    bias: FloatArray
    deviations: FloatArray
    draw: DrawPart | None


@short_repr
@dataclass(frozen=True, eq=False)
class SystemIntervals:
    """The scores of systems in each topic, and how they vary if the documents are judged again.

    `observed` (runs, topics) has the scores computed from the study's gains, with NaN for a topic without a
    value. `bias` (runs, topics) has the estimated bias of these scores: the mean score from noisy gains minus
    the score from gains without noise.

    `deviations` (2, resamples, runs, topics) has two corrected versions of each score in each resample, each
    as a deviation from its mean over the resamples. The two versions differ only in the random noise with
    which the bias was estimated. So the covariance of the two is the variance of a corrected score without
    this noise.

    `judgments` is the median number of judgments of a document. `single` is the share of documents with one
    judgment. The noise of these documents is unknown, and counts as 0.

    `draw` is not None if only a sample of the documents was judged: the variance that the draw adds. The
    intervals then hold for skewed estimates, too, and nothing is limited to the range of the measure.
    """

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    observed: FloatArray
    bias: FloatArray
    deviations: FloatArray
    judgments: float
    single: float
    draw: DrawVariance | None = None

    @checked
    def means(self, target: Target = "new_topics", *, level: float = 0.95) -> pl.DataFrame:
        """Return each run's mean over topics with its interval.

        The columns are `target, run, topics, observed, mean, low, high`. `topics` is the number of topics
        with a value. `observed` is the mean of the observed scores, and `mean` is this mean minus the
        estimated bias. `mean`, `low` and `high` are null if a topic has no value in one of the resamples, as
        can happen with a fixed `rel`. None of the three leaves the range of the measure, such as 0 to 1. For
        the target `"new_topics"`, they are also null if there are fewer than two topics. For
        `"these_topics"`, they are also null if most documents have only one judgment. Raise `InputError` for
        an unknown target and for a `level` outside (0, 1).
        """
        rows: list[tuple[object, ...]] = []
        within = bounds_of(self.measure)
        for r, run in enumerate(self.runs):
            parts = _Parts(self.observed[r], self.bias[r], self.deviations[:, :, r], self._drawn(r))
            number, *means = self._summary(parts, target, level, within)
            rows.append((target, run, number, *as_printed(self.measure, means)))
        return pl.DataFrame(rows, schema={"target": pl.String, "run": pl.String, **_NUMBERS}, orient="row")

    @checked
    def difference(
        self, first: str, second: str, target: Target = "new_topics", *, level: float = 0.95
    ) -> pl.DataFrame:
        """Return the mean of run `first` minus the mean of run `second`, with its interval, as one row.

        Both means cover the topics in which both runs have a value. The columns are `target, first, second,
        topics, observed, mean, low, high`, as in `means`. Raise `InputError` in the same cases as `means`,
        and for an unknown run.
        """
        one, other = (self._place(run) for run in (first, second))
        observed, bias, deviations = (
            part[..., one, :] - part[..., other, :] for part in (self.observed, self.bias, self.deviations)
        )
        parts = _Parts(observed, bias, deviations, self._drawn(one, other))
        least, most = bounds_of(self.measure)
        within = least - most, most - least
        row = (target, first, second, *self._summary(parts, target, level, within))
        schema = {**dict.fromkeys(("target", "first", "second"), pl.String), **_NUMBERS}
        return pl.DataFrame([row], schema=schema, orient="row")

    def notices(self) -> list[tuple[str, Text]]:
        """Return why the intervals may contain the true score too rarely: pairs of a code and a sentence."""
        notices = []
        if self.judgments < FEW:
            shares = Text("{new} % (new topics) and {these} % (these topics)", **_coverage())
            notices.append(
                (
                    "few-judgments",
                    Text(
                        "The median number of judgments of a document is {number}. With 3, 95 % intervals "
                        "contained the true mean in {shares} of simulated studies, in the worst case.",
                        number=f"{self.judgments:g}",
                        shares=shares,
                    ),
                )
            )
        if self.single:
            text = Text(
                "{share} % of the documents have one judgment, so their noise counts as 0.",
                share=f"{100 * self.single:.0f}",
            )
            notices.append(("single-judgments", text))
        return notices

    def _place(self, run: str) -> int:
        if run not in self.runs:
            raise InputError(
                "run-without-interval",
                "there is no run {run}; choose from {known}",
                run=shown(run),
                known=", ".join(self.runs),
            )
        return self.runs.index(run)

    def _drawn(self, one: int, other: int | None = None) -> DrawPart | None:
        """Return what the draw of a sample adds to the error of a run or a difference, or None if unknown."""
        if self.draw is None:
            return DrawPart(np.zeros(len(self.topics)), np.zeros(len(self.topics)))
        return self.draw.of(one, other)

    def _summary(
        self, parts: _Parts, target: Target, level: float, within: tuple[float, float]
    ) -> tuple[int, float | None, float | None, float | None, float | None]:
        refuse_level(level)
        known: BoolArray = ~np.isnan(parts.observed)
        number = int(known.sum())
        if not number:
            return 0, None, None, None, None
        observed = float(parts.observed[known].mean())
        corrected, noise = (parts.observed - parts.bias)[known], parts.deviations[..., known]
        if not (np.isfinite(corrected).all() and np.isfinite(noise).all()):
            return number, observed, None, None, None
        corrected, unit = without_scale(corrected)
        noise = noise / unit
        mean = float(corrected.mean())
        first, second = noise.mean(axis=-1)
        of_mean = max(0.0, float(first @ second) / max(1, len(first) - 1))
        of_topic = np.maximum((noise[0] * noise[1]).sum(axis=0) / max(1, len(first) - 1), 0)
        ends: list[float] = []
        if self.single <= _MOST_SINGLE and parts.draw is not None:
            # Powers of a very small unit would be 0.
            of_draw = parts.draw.of_topics[known] / unit / unit
            third = parts.draw.third[known] / unit / unit / unit
            variance = of_mean + max(0.0, float(of_draw.sum())) / number**2
            quantile = student_quantile(level, effective_freedom(of_topic + np.maximum(of_draw, 0)))
            ends += _bounds(mean, variance, float(third.sum()) / number**3, quantile)
        if target == "new_topics" and (number < 2 or parts.draw is None):
            ends = []
        elif target == "new_topics":
            # By chance, the interval for new topics can be narrower than that for these topics. Widen it.
            variance = float(corrected.var(ddof=1)) / number + max(0.0, of_mean - of_topic.sum() / number**2)
            third_of_mean = 0.0 if self.draw is None else float(((corrected - mean) ** 3).mean()) / number**2
            ends += _bounds(mean, variance, third_of_mean, student_quantile(level, number - 1))
        low, high = (unit * min(ends), unit * max(ends)) if ends else (None, None)
        if self.draw is not None:
            # A mean without bias stays so if the gains that were not judged make it leave the range.
            return number, observed, unit * mean, low, high
        low, high = (None if end is None else float(np.clip(end, *within)) for end in (low, high))
        return number, observed, float(np.clip(unit * mean, *within)), low, high


def _bounds(mean: float, variance: float, third: float, quantile: float) -> tuple[float, float]:
    """Return the bounds of an interval for a mean with this variance and third central moment."""
    return skewed_bounds(mean, math.sqrt(variance), quantile, third / variance**1.5 if variance > 0 else 0.0)


def _coverage() -> dict[str, str]:
    """Return the lowest coverage of each target as a percentage."""
    new, these = (f"{100 * COVERAGE[target]:.0f}" for target in TARGETS)
    return {"new": new, "these": these}


_NUMBERS: Final = {"topics": pl.Int64, **dict.fromkeys(("observed", "mean", "low", "high"), pl.Float64)}


@checked
@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # then an interval is null
def system_intervals(
    judgments: Source,
    runs: Source,
    measures: Measures,
    *,
    rng: np.random.Generator,
    method: Method | None = None,
    statistic: Statistic | None = None,
    resamples: int = 1000,
    ties: Ties = "trec_eval",
) -> dict[str, SystemIntervals]:
    """Return the intervals of the runs' mean scores, by measure.

    The result maps each measure, as you wrote it, to its `SystemIntervals`. The methods `means` and
    `difference` of a `SystemIntervals` return the intervals. An interval has one of two targets:

    - `"new_topics"`, the default: other topics of the same kind, judged by other workers. The interval is
      Student's interval for the mean of the corrected scores. The noise of the judgments already makes these
      scores differ between topics, so it is not added again. Only the covariance between topics that share
      workers is added [the variance of two-way clusters: Cameron, Gelbach & Miller, JBES 2011].
    - `"these_topics"`: the same topics, judged by other workers. This interval covers only the noise of the
      judgments, and is never wider than the interval for new topics. It says nothing about other topics.

    The true score of a run is the score that gains without noise would give it. These are the gains that this
    method and this crowd would give with very many judgments. Noise raises the scores of the ideal list, so
    observed scores of nDCG are too low on average. This bias is corrected in three steps:

    1. `judge_anew` resamples the workers, which shows the noise of the gains.
    2. This noise is added to gains whose spread is reduced to the spread without noise (`GainsAnew.centres`).
    3. The scores of a run are multiplied by a factor: the run's mean score before step 2 added the noise,
       divided by its mean score afterwards.

    The correction is a factor because noise does not depend on the run. On average, noise multiplies the DCG
    of all runs by the same factor, and the ideal DCG by a larger factor.

    This correction has noise of its own. So the scores of each resample are corrected too, with the noise of
    other resamples [the fast double bootstrap: Davidson & MacKinnon, CSDA 2007]. These corrected scores give
    the covariance that `"new_topics"` adds, and the variance of `"these_topics"`.

    `method` and `statistic` are those of `normalise` and `gains`, and `ties` is that of `rank`. `resamples`
    is the number of resamples. The same state of `rng` gives the same result, whatever the order of the
    judgments. Raise `InputError` for the method `"model"`, for a statistic whose noise cannot be estimated,
    for fewer than two resamples, and in the same cases as `normalise`, `rank` and the measures.
    """
    judged = Judgments(judgments, gold=method in WITH_ANCHORS)
    anew = judge_anew(judged, rng, method=method, statistic=statistic, resamples=resamples)
    lists = rank(gains(judged, normalise(judged, method), statistic), runs, ties=ties).lists
    parsed = {str(item): item if isinstance(item, Measure) else parse(item) for item in several(measures)}
    centres = anew.centres(anew.gain)
    single = float((anew.judgments == 1).mean())
    results = {}
    for name, measure in parsed.items():
        values = values_of_many(measure, lists)
        observed, base = values(np.stack([anew.gain, centres]))
        first, corrected = resampled(values, anew, centres)
        results[name] = SystemIntervals(
            name,
            lists.runs,
            lists.topics,
            observed,
            observed * (1 - factors(base, first.mean(axis=0))),
            corrected - corrected.mean(axis=1, keepdims=True),
            float(np.median(anew.judgments)),
            single,
        )
    return results


def resampled(values: Batch, anew: GainsAnew, centres: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the scores of each resample, and two sets of corrected scores of each resample.

    As in the fast double bootstrap, the bias of a resample is estimated with the noise of another resample.
    This noise is added to the resample's own `centres`. The two sets take the noise from different resamples.
    """
    noise, scored, corrected = anew.noise, [], []
    for start in range(0, len(noise), _AT_ONCE):
        drawn = anew.with_noise(centres, noise[start : start + _AT_ONCE])
        inner = anew.centres(drawn)
        own, base = values(drawn), values(inner)
        others = [
            values(anew.with_noise(inner, np.roll(noise, shift, axis=0)[start : start + _AT_ONCE]))
            for shift in (1, 2)
        ]
        scored.append(own)
        corrected.append(np.stack([own * factors(base, other) for other in others]))
    return np.concatenate(scored), np.concatenate(corrected, axis=1)


def factors(base: FloatArray, noisy: FloatArray) -> FloatArray:
    """Return, for each run, its mean score in `base` divided by its mean score in `noisy`.

    Both arrays have the shape (…, runs, topics), and the result has the shape (…, runs, 1). The factor of a
    run is 1 if the run has no score above 0 in `noisy`.
    """
    total, of_noisy = (np.nansum(scores, axis=-1, keepdims=True) for scores in (base, noisy))
    factors: FloatArray = np.divide(total, of_noisy, out=np.ones_like(total), where=of_noisy > 0)
    return factors

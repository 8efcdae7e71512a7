"""Estimate from a pilot what later studies depend on: noise, levels of documents, and scores of systems."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl

from ..arrays import BoolArray, FloatArray, IntArray
from ..conventions import Statistic
from ..errors import InputError
from ..frames import Gains, Judgments
from ..magnitudes.document_gains import gains, refuse_other_statistics, statistic_of
from ..magnitudes.normalisation import normalise
from ..measures import Measure, RankedLists, parse
from ..measures.many_gains import values_of_many
from ..options import checked
from ..ranking import rank
from ..runs import Run
from ..scales import scale_of
from ..showing import short_repr
from .deconvolution import level_draws
from .judged import judged_of, level_noise

DRAWS: Final = 200
"""How often the true levels of all documents are drawn. Each draw is plausible given the pilot."""
MOST_RESIDUALS: Final = 20_000
MOST_DRAWN: Final = 1_500_000
"""The largest number of judgments that are simulated at once. For a large pilot, this limits the draws."""


@short_repr
@checked
@dataclass(frozen=True, eq=False)
class Pilot:
    """The parts of a pilot, from which `plan` predicts later studies.

    Levels are natural logarithms of gains or, if `is_log` is false because ratios of gains have no meaning,
    the gains themselves. `residuals` are the differences between the numbers of judgments (log magnitudes, if
    they are magnitudes) and their document's mean. They are stretched so that they spread as far as the
    differences from the true level do. If judgments compare two documents, the residuals are normal, and the
    mean of one for each unit has the error that the fit of the worths gives the document.

    `levels` (draws, documents) has plausible true levels. `statistic` is the statistic that turns judgments
    into a gain.

    `places` and `is_anchor` have one value for each document. `places` has the index of the document's topic
    in `topics`. `is_anchor` marks the anchors. Every unit includes the anchors, so their gains come from many
    judgments, and `plan` counts them as free of noise. `anchor_noise` is the noise of a judgment of an
    anchor, as a factor of the noise of other judgments. The check of the order leaves out much of this noise.
    `offset_noise` is the factor of the variance of log gains that the normalisation adds: the magnitudes of a
    unit share the error of its offset, which `residuals` do not show. `relative_noise` is the noise of each
    document as a factor of `residuals`, if it is known: worths far from the others have larger errors.

    `lists` has the ranked documents of the runs, and `measure` scores them. Both are None without runs. If
    the gains come from `levels`, the scores of the systems differ too little (see `estimate_pilot`).
    `system_scale` is the factor that corrects this.
    """

    topics: tuple[str, ...]
    places: IntArray
    is_anchor: BoolArray
    residuals: FloatArray
    levels: FloatArray
    statistic: Statistic
    measure: Measure | None = None
    lists: RankedLists | None = None
    system_scale: float = 1.0
    anchor_noise: float = 1.0
    offset_noise: float = 1.0
    relative_noise: FloatArray | float = 1.0
    is_log: bool = True

    def gains(self, levels: FloatArray) -> FloatArray:
        """Return the gains of documents with these levels. No gain is negative."""
        return np.exp(levels) if self.is_log else np.maximum(levels, 0)

    @property
    def noise(self) -> float:
        """The standard deviation of the numbers of a document, or of their logarithms: see `residuals`."""
        return float(np.sqrt((self.residuals**2).mean()))

    @property
    def spread(self) -> float:
        """The standard deviation of the true levels of the documents of a topic, without the anchors."""
        levels = self.levels[:, ~self.is_anchor]
        places = self.places[~self.is_anchor]
        sizes = np.bincount(places)
        means = np.stack([np.bincount(places, row) for row in levels]) / np.maximum(sizes, 1)
        squares = ((levels - means[:, places]) ** 2).sum(axis=1)
        return float(np.sqrt(squares.mean() / max(len(places) - np.count_nonzero(sizes), 1)))

    @property
    def documents(self) -> float:
        """The mean number of documents per topic, not counting the anchors."""
        return float(np.count_nonzero(~self.is_anchor)) / len(self.topics)

    def judged(self, judgments: int, rng: np.random.Generator) -> FloatArray:
        """Draw the noise that levels have with this many judgments, as an array (draws, documents)."""
        noise = self.relative_noise * self.drawn(judgments, self.levels.shape, rng)
        noise[:, self.is_anchor] = 0.0
        return noise

    def drawn(self, judgments: int, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        """Draw the noise of levels that come from `judgments` random residuals each."""
        return level_noise(self.residuals, judgments, shape, self.statistic, rng, is_log=self.is_log)


@checked
def estimate_pilot(
    judgments: Judgments,
    runs: Sequence[Run] = (),
    *,
    rng: np.random.Generator,
    measure: str | Measure = "nDCG@10",
    statistic: Statistic | None = None,
    normalized: FloatArray | None = None,
    draws: int = DRAWS,
) -> Pilot:
    """Return three parts of a pilot: noise, levels of documents and, with runs, scores of systems.

    The column `gold` marks the judgments of anchors. `normalized` has a normalised magnitude for each
    judgment. If it is None, `normalise` computes these magnitudes.

    - The residuals of a document with n judgments are stretched by √(n/(n − 1)), because the document's mean
      depends on the same judgments.
    - The levels are drawn by `level_draws`. The pilot's own gains would be too spread out, because they
      contain noise.
    - If the gains come from these levels, the scores of the systems differ too little: the draws ignore that
      good systems find good documents. `system_scale` is the factor that corrects this. It is the standard
      deviation of the systems in the pilot (see `cross_topic_variance`), divided by the standard deviation
      in pilots that are simulated from the levels.

    Raise `InputError` for a statistic whose noise cannot be estimated, and if no document besides the anchors
    has two judgments. If you give runs, also raise it for fewer than two runs or topics.
    """
    statistic = statistic_of(judgments, statistic)
    refuse_other_statistics(statistic)
    is_log = scale_of(judgments).gains_have_ratios(statistic)
    if normalized is None:
        normalized = normalise(judgments)
    measured = gains(judgments, normalized, statistic)
    judged = judged_of(judgments, normalized, statistic)
    residuals = judged.residuals
    if len(residuals) > MOST_RESIDUALS:
        residuals = rng.choice(residuals, MOST_RESIDUALS, replace=False)
    topics, places = _numbered(measured.table["topic_id"])
    draws = int(np.clip(MOST_DRAWN // (10 * len(places)), 20, draws))
    pilot = Pilot(
        topics,
        places,
        judged.is_anchor,
        residuals,
        np.log(measured.values)[None] if is_log else measured.values[None],
        statistic,
        anchor_noise=judged.anchor_noise,
        offset_noise=judged.offset_noise,
        relative_noise=judged.relative_noise,
        is_log=is_log,
    )
    pilot = replace(pilot, levels=_levels(pilot, judged.counts, rng, draws))
    return _with_systems(pilot, measured, judged.counts, runs, measure, rng) if runs else pilot


def cross_topic_variance(scores: FloatArray) -> float:
    """Return the variance between systems that is common to all topics. `scores` is (systems, topics).

    A deviation is a system's score minus the mean score in the topic. The variance is the mean product of a
    system's deviations in two different topics. So it includes neither noise nor the strengths and weaknesses
    of a system in single topics. Both are independent between topics. The result can be negative.
    """
    systems, topics = scores.shape
    deviations = scores - scores.mean(axis=0)
    products = (deviations.sum(axis=1) ** 2).sum() - (deviations**2).sum()
    return float(products / (topics * (topics - 1) * (systems - 1)))


def _with_systems(
    pilot: Pilot,
    measured: Gains,
    counts: IntArray,
    runs: Sequence[Run],
    measure: str | Measure,
    rng: np.random.Generator,
) -> Pilot:
    if len(runs) < 2 or len(pilot.topics) < 2:
        raise InputError(
            "pilot-too-small-for-systems",
            "a pilot with {runs} runs and {topics} topics says too little about systems; give two or more "
            "runs and topics, or leave out the runs",
            runs=len(runs),
            topics=len(pilot.topics),
        )
    parsed = measure if isinstance(measure, Measure) else parse(measure)
    lists = rank(measured, runs).lists
    observed = cross_topic_variance(np.nan_to_num(parsed.values(lists)))
    noise = np.empty(pilot.levels.shape)
    for size in np.unique(counts):
        of_size = counts == size
        noise[:, of_size] = pilot.drawn(int(size), (len(noise), int(of_size.sum())), rng)
    noise *= pilot.relative_noise
    noise[:, pilot.is_anchor] = 0.0
    again = np.nan_to_num(values_of_many(parsed, lists)(pilot.gains(pilot.levels + noise)))
    simulated = cross_topic_variance(again.mean(axis=0))
    scale = np.sqrt(observed / simulated) if observed > 0 and simulated > 0 else 1.0
    return replace(pilot, measure=parsed, lists=lists, system_scale=float(scale))


def _numbered(topics: pl.Series) -> tuple[tuple[str, ...], IntArray]:
    blocks = topics.rle().struct.unnest()
    return tuple(blocks["value"]), np.repeat(np.arange(len(blocks)), blocks["len"].to_numpy())


def _levels(pilot: Pilot, counts: IntArray, rng: np.random.Generator, draws: int) -> FloatArray:
    """Return plausible true levels, as an array (draws, documents). Anchors keep their measured levels.

    `pilot` has the measured levels, and `counts` the number of judgments of each document.
    """
    measured, places, others = pilot.levels[0], pilot.places, ~pilot.is_anchor
    noise = np.zeros(len(measured))
    for size in np.unique(counts[others]):
        noise[counts == size] = pilot.drawn(int(size), (4000, 1), rng).std()
    noise *= pilot.relative_noise
    levels = np.tile(measured, (draws, 1))
    sizes = np.bincount(places[others], minlength=places.max() + 1)
    centres = np.bincount(places[others], measured[others], len(sizes)) / np.maximum(sizes, 1)
    centred = measured[others] - centres[places[others]]
    levels[:, others] = centres[places[others]] + level_draws(centred, noise[others], rng, number=draws)
    return levels

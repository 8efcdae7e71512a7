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
from ..magnitudes.document_gains import KEYS, gains, middle, refuse_other_statistics
from ..magnitudes.groups import Groups
from ..magnitudes.normalisation import normalise
from ..measures import Measure, RankedLists, parse
from ..measures.many_gains import values_of_many
from ..options import checked
from ..ranking import rank
from ..runs import Run
from ..showing import short_repr
from .deconvolution import level_draws

DRAWS: Final = 200
"""How often the true levels of all documents are drawn. Each draw is plausible given the pilot."""
MOST_RESIDUALS: Final = 20_000
MOST_DRAWN: Final = 1_500_000
"""The largest number of judgments that are simulated at once. For a large pilot, this limits the draws."""


@short_repr
@checked
@dataclass(frozen=True, eq=False)
class Pilot:
    """The parts of a pilot, from which `plan` predicts later studies. Levels are natural logarithms of gains.

    `residuals` are the differences between log magnitudes and their document's mean. They are stretched so
    that they spread as far as the differences from the true level do. `levels` (draws, documents) has
    plausible true levels. `statistic` is the statistic that turns magnitudes into a gain.

    `places` and `is_anchor` have one value for each document. `places` has the index of the document's topic
    in `topics`. `is_anchor` marks the anchors. Every unit includes the anchors, so their gains come from many
    judgments, and `plan` counts them as free of noise. `anchor_noise` is the noise of a judgment of an
    anchor, as a factor of the noise of other judgments. The check of the order leaves out much of this noise.
    `offset_noise` is the factor of the variance of log gains that the normalisation adds: the magnitudes of a
    unit share the error of its offset, which `residuals` do not show.

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

    @property
    def noise(self) -> float:
        """The standard deviation of the log magnitudes of a document."""
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
        """Draw the noise that log gains have with this many judgments, as an array (draws, documents)."""
        noise = log_noise(self.residuals, judgments, self.levels.shape, self.statistic, rng)
        noise[:, self.is_anchor] = 0.0
        return noise


@checked
def estimate_pilot(
    judgments: Judgments,
    runs: Sequence[Run] = (),
    *,
    rng: np.random.Generator,
    measure: str | Measure = "nDCG@10",
    statistic: Statistic = "median",
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

    Raise `InputError` for ratings, for a statistic that is neither `"median"` nor `"gmean"`, and if no
    document besides the anchors has two judgments. If you give runs, also raise it for fewer than two runs or
    topics.
    """
    judgments.refuse_without_ratios()
    refuse_other_statistics(statistic)
    if normalized is None:
        normalized = normalise(judgments)
    logs = np.log(normalized)
    documents = Groups.by(judgments.table, KEYS)
    is_gold = _gold(judgments)
    means = documents.sums(logs).means()
    sizes = documents.sizes[documents.member]
    used = (sizes > 1) & ~is_gold
    if not used.any():
        raise InputError(
            "pilot-without-repeated-judgments",
            "apart from the anchors, no document of the pilot has two judgments; have two or more workers "
            "judge each document",
        )
    stretched = (logs - means[documents.member]) * np.sqrt(sizes / np.maximum(sizes - 1, 1))
    residuals = np.sort(stretched[used])  # so that the order of the rows has no effect
    residuals -= residuals.mean()
    of_anchors = np.sort(stretched[is_gold & (sizes > 1)])
    is_known = of_anchors.size > 0 and residuals.std() > 0
    anchor_noise = float(of_anchors.std() / residuals.std()) if is_known else 1.0
    if len(residuals) > MOST_RESIDUALS:
        residuals = rng.choice(residuals, MOST_RESIDUALS, replace=False)
    measured = gains(judgments, normalized, statistic)
    order = judgments.table.select(KEYS)[documents.row].with_row_index("group").sort(KEYS)["group"].to_numpy()
    counts = documents.sizes[order]
    is_anchor = is_gold[documents.row[order]]
    topics, places = _numbered(measured.table["topic_id"])
    draws = int(np.clip(MOST_DRAWN // (10 * len(counts)), 20, draws))
    levels = _levels(np.log(measured.values), counts, places, is_anchor, residuals, statistic, rng, draws)
    pilot = Pilot(
        topics,
        places,
        is_anchor,
        residuals,
        levels,
        statistic,
        anchor_noise=anchor_noise,
        offset_noise=_offset_noise(judgments, documents),
    )
    return _with_systems(pilot, measured, counts, runs, measure, rng) if runs else pilot


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
        noise[:, of_size] = log_noise(
            pilot.residuals, int(size), (len(noise), int(of_size.sum())), pilot.statistic, rng
        )
    noise[:, pilot.is_anchor] = 0.0
    again = np.nan_to_num(values_of_many(parsed, lists)(np.exp(pilot.levels + noise)))
    simulated = cross_topic_variance(again.mean(axis=0))
    scale = np.sqrt(observed / simulated) if observed > 0 and simulated > 0 else 1.0
    return replace(pilot, measure=parsed, lists=lists, system_scale=float(scale))


def _gold(judgments: Judgments) -> BoolArray:
    if "gold" not in judgments.table.columns:
        return np.zeros(len(judgments.table), dtype=np.bool_)
    marked: BoolArray = (judgments.table["gold"].fill_null("") != "").to_numpy()
    return marked


def _offset_noise(judgments: Judgments, documents: Groups) -> float:
    """Return how much larger the variance of log magnitudes is than that of normalised ones.

    The normalisation estimates U − 1 offsets for the U units of a topic, so the normalised magnitudes of a
    document agree more than they should. With N judgments of D documents in a topic, the factor is the sum of
    N − D over the topics, divided by the sum of N − D − U + 1, as in `evaluation.allocation.estimate`. It is
    1 if the second sum is not above 0.
    """
    table = judgments.table
    units = Groups.by(table, judgments.unit_keys)
    free = len(table) - len(documents.sizes)
    left = free - len(units.sizes) + table["topic_id"].n_unique()
    return free / left if left > 0 else 1.0


def _numbered(topics: pl.Series) -> tuple[tuple[str, ...], IntArray]:
    blocks = topics.rle().struct.unnest()
    return tuple(blocks["value"]), np.repeat(np.arange(len(blocks)), blocks["len"].to_numpy())


def _levels(
    measured: FloatArray,
    counts: IntArray,
    places: IntArray,
    is_anchor: BoolArray,
    residuals: FloatArray,
    statistic: Statistic,
    rng: np.random.Generator,
    draws: int,
) -> FloatArray:
    """Return plausible true levels, as an array (draws, documents). Anchors keep their measured levels."""
    noise = np.zeros(len(measured))
    for size in np.unique(counts[~is_anchor]):
        noise[counts == size] = log_noise(residuals, int(size), (4000, 1), statistic, rng).std()
    levels = np.tile(measured, (draws, 1))
    others = ~is_anchor
    sizes = np.bincount(places[others], minlength=places.max() + 1)
    centres = np.bincount(places[others], measured[others], len(sizes)) / np.maximum(sizes, 1)
    centred = measured[others] - centres[places[others]]
    levels[:, others] = centres[places[others]] + level_draws(centred, noise[others], rng, number=draws)
    return levels


@checked
def log_noise(
    residuals: FloatArray,
    judgments: int,
    shape: tuple[int, int],
    statistic: Statistic,
    rng: np.random.Generator,
) -> FloatArray:
    """Return log gains of documents whose true level is 0, each from `judgments` random residuals."""
    if statistic == "gmean":
        total = np.zeros(shape)
        for _ in range(judgments):
            total += residuals[rng.integers(len(residuals), size=shape)]
        return total / judgments
    drawn = residuals[rng.integers(len(residuals), size=(*shape, judgments), dtype=np.int32)]
    low, high = (judgments - 1) // 2, judgments // 2
    drawn.partition((low, high), axis=-1)
    logs: FloatArray = np.log(middle(np.exp(drawn[..., low]), np.exp(drawn[..., high]), "arithmetic"))
    return logs

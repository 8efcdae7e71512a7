"""The documents that people and a judge have both judged, and intervals of statistics of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from ..arrays import BoolArray, FloatArray, IntArray
from ..comparison.item_resampling import Bounds, percentiles, resampled_items
from ..distances.ratings import Ratings
from ..errors import InputError, shown
from ..pairs import PAIR
from .people import People

Statistic = Callable[[FloatArray], FloatArray]
"""Maps sums over topics (…, terms) to a statistic (…)."""
Estimate = tuple[float | None, float | None, float | None]
"""A value and the bounds of its interval, or None for what is not known."""
_LARGEST: Final = 1e100
"""Squares of larger numbers could become infinite."""
_NEARLY_ALL: Final = 0.95
_EQUAL: Final = 1e-12
"""A spread is 0 if it is smaller than this share of the numbers."""


@dataclass(frozen=True, eq=False)
class Pairing:
    """The documents of a judge that people judged, too. Its arrays have a value for each document.

    `topic` has the index of the topic, `gain` and `value` what people say (see `People`), and `label` what
    the judge says. `noise` (resamples, documents) is that of `People`.
    """

    judge: str
    topics: tuple[str, ...]
    documents: pl.DataFrame
    topic: IntArray
    gain: FloatArray
    value: FloatArray
    label: FloatArray
    noise: FloatArray
    is_log: bool

    @classmethod
    def of(cls, judge: str, labels: Ratings, people: People) -> "Pairing":
        """Join the labels of a judge with what people say. Raise `InputError` if nothing is in both."""
        numbered = people.table.with_row_index("row")
        both = numbered.join(
            labels.table.rename({"score": "label"}), on=PAIR, how="inner", maintain_order="left"
        )
        if both.is_empty():
            raise InputError(
                "judge-without-common-documents",
                "the judge {judge} has no label for a document that people judged; check the ids of topics "
                "and documents",
                judge=shown(judge),
            )
        largest = float(np.abs(both.select("gain", "label").to_numpy()).max())
        if largest > _LARGEST:
            raise InputError(
                "judged-numbers-too-large",
                "the number {number} of a document is too large to compare {judge} with people; give numbers "
                "up to {most}",
                number=f"{largest:g}",
                judge=shown(judge),
                most=f"{_LARGEST:g}",
            )
        names, topic = np.unique(both["topic_id"].to_numpy(), return_inverse=True)
        return cls(
            judge,
            tuple(map(str, names)),
            both.select(PAIR),
            topic.astype(np.int64),
            both["gain"].to_numpy(),
            both["value"].to_numpy(),
            both["label"].to_numpy(),
            people.noise[:, both["row"].to_numpy()],
            people.is_log,
        )

    @property
    def number(self) -> int:
        """The number of documents."""
        return len(self.topic)

    @cached_property
    def on_log(self) -> bool:
        """Whether labels are compared by their logarithms: if gains are, and all labels are positive."""
        return self.is_log and bool((self.label > 0).all())

    @cached_property
    def number_of_label(self) -> FloatArray:
        """What the judge says, as a logarithm where labels are compared by these."""
        return np.log(self.label) if self.on_log else self.label

    @cached_property
    def shares_scale(self) -> bool:
        """Whether labels and gains are grades of one scale.

        They are if all are whole numbers, and nearly all labels are within the range of the gains. Models
        sometimes give a grade that does not exist.
        """
        both = np.concatenate([self.label, self.gain])
        within = (self.gain.min() <= self.label) & (self.label <= self.gain.max())
        return not self.is_log and bool((both == np.round(both)).all() and within.mean() >= _NEARLY_ALL)

    @cached_property
    def matched(self) -> FloatArray:
        """The labels on people's scale (documents,), in the units of `value`.

        Grades of one scale stay as they are. Other labels are moved and stretched so that they have the mean
        and the standard deviation of the values over all documents, because a judge's level and spread are
        its own. If all labels are the same, each becomes the mean.
        """
        if self.shares_scale:
            return self.label
        label = self.number_of_label
        spread = float(label.std())
        if spread <= _EQUAL * max(1.0, float(np.abs(label).max())):
            return np.full(self.number, float(self.value.mean()))
        stretched: FloatArray = (label - label.mean()) / spread * self.value.std() + self.value.mean()
        return stretched

    def values(self) -> FloatArray:
        """Return what people say (1 + resamples, documents): as it is, and in resamples of the workers."""
        values: FloatArray = self.value + np.concatenate([np.zeros((1, self.number)), self.noise])
        return values

    def sums(self, values: FloatArray, of: BoolArray | None = None) -> FloatArray:
        """Return the sums of values (…, documents) over the documents of each topic (…, topics).

        With `of` (documents,), only these documents count.
        """
        chosen = np.ones(self.number, dtype=np.bool_) if of is None else of
        order = np.argsort(self.topic, kind="stable")
        kept = order[chosen[order]]
        sums = np.zeros((*values.shape[:-1], len(self.topics)))
        if kept.size:
            topic = self.topic[kept]
            starts = np.flatnonzero(np.diff(topic, prepend=-1))
            sums[..., topic[starts]] = np.add.reduceat(values[..., kept], starts, axis=-1)
        return sums


@dataclass(frozen=True)
class Drawing:
    """How intervals are computed: their level, the number of samples of topics, and the seed."""

    level: float
    resamples: int
    seed: int

    def estimate(self, statistic: Statistic, sums: FloatArray) -> Estimate:
        """Return a statistic with its interval, or None for what is not known.

        `sums` (1 + resamples of the workers, topics, terms) has what the statistic adds up over topics, for
        the judgments as they are and for each resample of the workers. The interval comes from samples of
        topics. If the workers are known, the differences that a random one of their resamples makes are added
        to it, with a mean of 0. The bounds are None if there are fewer than two topics.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = float(statistic(sums[0].sum(axis=0)))
            if not np.isfinite(observed):
                return None, None, None
            low, high = self._bounds(statistic, sums, observed)
        return observed, low, high

    def _bounds(self, statistic: Statistic, sums: FloatArray, observed: float) -> Bounds:
        number = sums.shape[1]
        if number < 2:
            return None, None
        rng = np.random.default_rng(self.seed)
        drawn = resampled_items(
            number, rng, self.resamples, lambda counts: statistic(np.tensordot(counts, sums[0], axes=1))
        )
        if len(sums) > 1:
            moved = statistic(sums[1:].sum(axis=1))
            moved = moved[np.isfinite(moved)]
            if moved.size:
                drawn = drawn + (moved - moved.mean())[rng.integers(moved.size, size=len(drawn))]
        return percentiles(drawn[np.isfinite(drawn)], self.level)

    def mean(self, values: FloatArray) -> Estimate:
        """Return the mean of values (1 + resamples of the workers, topics) over topics, with its interval.

        Topics whose value is NaN do not count.
        """
        known = ~np.isnan(values)
        return self.estimate(ratio, np.stack([np.where(known, values, 0.0), known], axis=-1))


def ratio(sums: FloatArray) -> FloatArray:
    """Return the first of two sums divided by the second."""
    divided: FloatArray = sums[..., 0] / sums[..., 1]
    return divided

"""The worths of documents, from judgments that compare two documents, with their uncertainty."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
import scipy

from ..arguments import refuse_level
from ..arrays import FloatArray, IntArray
from ..compared import COMPARED_WITH
from ..conventions import Statistic
from ..errors import InputError
from ..frames import Judgments
from ..options import checked
from ..pairs import PAIR
from ..scales import scale_of
from ..showing import short_repr
from ..sources import Source
from .davidson import PRIOR, Comparisons, Fit, expected_points, fit


@short_repr
@dataclass(frozen=True, eq=False)
class TopicFit:
    """The worths of a topic's documents. `documents` has their ids in ascending order.

    `cluster` has the index of each comparison's unit, and `rows` its row in the judgments.
    """

    topic: str
    documents: tuple[str, ...]
    fit: Fit
    cluster: IntArray
    rows: IntArray

    @property
    def keys(self) -> pl.DataFrame:
        """The documents: `topic_id, document_id`."""
        document = pl.Series("document_id", self.documents, dtype=pl.String)
        return pl.DataFrame([pl.repeat(self.topic, len(document), eager=True).alias("topic_id"), document])

    @property
    def comparisons(self) -> IntArray:
        """The number of comparisons of each document."""
        data = self.fit.comparisons
        both = np.concatenate([data.first, data.second])
        return np.bincount(both, minlength=data.number).astype(np.int64)

    @property
    def units(self) -> IntArray:
        """The number of units with each document."""
        data = self.fit.comparisons
        pairs = np.concatenate([np.stack([side, self.cluster], axis=1) for side in (data.first, data.second)])
        return np.bincount(np.unique(pairs, axis=0)[:, 0], minlength=data.number).astype(np.int64)

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of θ and ln ν, whose groups are the units."""
        return self.fit.covariance(self.cluster)

    @property
    def se(self) -> FloatArray:
        """The standard error of each θ, whose mean over the documents is 0."""
        errors: FloatArray = np.sqrt(np.diag(self.covariance)[:-1])
        return errors

    @property
    def chance(self) -> FloatArray:
        """The chance of each document to be preferred to a random other one. A tie counts half."""
        points, _ = self._against_all
        chance: FloatArray = (points.sum(axis=1) - 0.5) / max(len(points) - 1, 1)
        return chance if len(points) > 1 else np.full(1, 0.5)

    @property
    def chance_se(self) -> FloatArray:
        """The standard error of each chance, by the delta method."""
        gradient = self.chance_gradient
        variance = ((gradient @ self.covariance) * gradient).sum(axis=1)
        errors: FloatArray = np.sqrt(np.maximum(variance, 0))
        return errors

    @property
    def chance_gradient(self) -> FloatArray:
        """The derivatives of the chances by θ and ln ν (documents, documents + 1)."""
        points, tie = self._against_all
        number = len(points)
        slope = points - tie / 4 - points**2
        np.fill_diagonal(slope, 0)
        gradient = np.zeros((number, number + 1))
        gradient[:, :-1] = np.diag(slope.sum(axis=1)) - slope
        gradient[:, -1] = (tie * (0.5 - points)).sum(axis=1)
        gradient /= max(number - 1, 1)
        return gradient

    @checked
    def influence(self, cluster: IntArray, statistic: Statistic) -> FloatArray:
        """Return how far each group of comparisons moves the gains (groups, documents), as `Fit.influence`.

        Worths move on a logarithmic scale. `statistic` is `"worth"` or `"chance"`.
        """
        moved = self.fit.influence(cluster)
        return moved[:, :-1] if statistic == "worth" else moved @ self.chance_gradient.T

    @property
    def _against_all(self) -> tuple[FloatArray, FloatArray]:
        theta = self.fit.theta
        return expected_points(theta[:, None] - theta, self.fit.log_nu)

    def table(self, level: float) -> pl.DataFrame:
        """Return the rows of `worths` for this topic."""
        quantile = float(scipy.stats.norm.isf((1 - level) / 2))
        theta, se, chance = self.fit.theta, self.se, self.chance
        odds, of_odds = scipy.special.logit(chance), self.chance_se / (chance * (1 - chance))
        ends = [scipy.special.expit(odds + side * quantile * of_odds) for side in (-1, 1)]
        return self.keys.with_columns(
            comparisons=self.comparisons,
            theta=theta,
            se=se,
            worth=np.exp(theta),
            low=np.exp(theta - quantile * se),
            high=np.exp(theta + quantile * se),
            chance=chance,
            chance_low=ends[0],
            chance_high=ends[1],
        )


def topic_fits(
    judgments: Judgments, points: FloatArray | None = None, *, prior: float = PRIOR
) -> Iterator[TopicFit]:
    """Yield the fit of each topic, sorted by topic. `points` replaces the numbers of the judgments.

    The order of the rows has no effect. Raise `InputError` in the same cases as `worths`.
    """
    if not scale_of(judgments).compares_pairs:
        raise InputError(
            "worths-without-pairs",
            "worths need judgments that compare two documents, but these are {numbers}; use another "
            "statistic",
            judgments.origin.path or "",
            numbers=scale_of(judgments).numbers,
        )
    keys = [*PAIR, COMPARED_WITH, "points", *judgments.unit_keys[1:]]
    table = judgments.table.with_columns(
        points=judgments.magnitudes if points is None else points,
        row=pl.int_range(pl.len(), dtype=pl.Int64),
        unit=pl.struct(judgments.unit_keys).rank("dense").cast(pl.Int64) - 1,
    ).sort(keys)
    for (topic,), part in table.group_by("topic_id", maintain_order=True):
        documents = pl.concat([part["document_id"], part[COMPARED_WITH]]).unique().sort()
        first, second = (
            documents.search_sorted(part[name]).to_numpy().astype(np.int64)
            for name in ("document_id", COMPARED_WITH)
        )
        data = Comparisons.of(len(documents), first, second, part["points"].to_numpy())
        _, cluster = np.unique(part["unit"].to_numpy(), return_inverse=True)
        yield TopicFit(
            str(topic), tuple(documents), fit(data, prior), cluster.astype(np.int64), part["row"].to_numpy()
        )


def worths(judgments: Source, *, level: float = 0.95, prior: float = PRIOR) -> pl.DataFrame:
    """Return the worth of each document, with its interval, from preferences.

    `judgments` is a source of judgments on a scale that compares two documents: a `Judgments` object, or
    anything that `Judgments` accepts with the scale `"preference"`. Each topic has a fit of its own: see
    `davidson.fit` for the model and the `prior`.

    The columns are `topic_id, document_id, comparisons, theta, se, worth, low, high, chance, chance_low,
    chance_high`, sorted by topic and document. `theta` is ln `worth`, with a mean of 0 over a topic's
    documents, and `se` is its standard error. `chance` is the chance to be preferred to a document drawn at
    random from the others of the topic, where ties count half. Intervals are normal in `theta` and in the
    log odds of `chance`. Comparisons of the same unit depend on each other: see `Fit.covariance`.

    Raise `InputError` for judgments that cannot be read or do not compare documents, for a `level` outside
    (0, 1), and in the same cases as `davidson.fit`.
    """
    refuse_level(level)
    fits = topic_fits(_judged(judgments), prior=prior)
    return pl.concat([of_topic.table(level) for of_topic in fits])


def places(judgments: Source, *, level: float = 0.95, prior: float = PRIOR) -> pl.DataFrame:
    """Return the effect of the place and the share of ties, for each topic.

    The columns are `topic_id, documents, comparisons, ties, nu, first, low, high`. `ties` is the share of
    comparisons that are ties, and `nu` is ν in `davidson.fit`. `first` is the mean number of points of the
    document that was shown first. If each document is as often first as second, as in rings, it is 0.5 unless
    the place has an effect. The interval from `low` to `high` is that of a mean over units. It is null if a
    topic has fewer than two units.

    Raise `InputError` in the same cases as `worths`.
    """
    refuse_level(level)
    rows = []
    for of_topic in topic_fits(_judged(judgments), prior=prior):
        data, cluster = of_topic.fit.comparisons, of_topic.cluster
        first = float(data.points.mean())
        sums = np.bincount(cluster, data.points - first)
        units = len(sums)
        low = high = None
        if units > 1:
            error = float(np.sqrt((sums**2).sum() * units / (units - 1))) / len(data.points)
            quantile = float(scipy.stats.t.isf((1 - level) / 2, units - 1))
            low, high = max(0.0, first - quantile * error), min(1.0, first + quantile * error)
        ties = float(data.is_tie.mean())
        rows.append((of_topic.topic, data.number, len(data.points), ties, of_topic.fit.nu, first, low, high))
    numbers = dict.fromkeys(("ties", "nu", "first", "low", "high"), pl.Float64)
    schema = {"topic_id": pl.String, "documents": pl.Int64, "comparisons": pl.Int64, **numbers}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _judged(source: Source) -> Judgments:
    """Return the judgments. A source that does not say its scale has preferences."""
    return source if isinstance(source, Judgments) else Judgments(source, scale=_PREFERENCES)


_PREFERENCES: Final = "preference"

"""How well labels agree with people: on the numbers, and on the order of the documents of a topic."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.agreement import alphas_of_coincidences
from ..comparison.correlation import tau_b
from ..comparison.kappa import Weights
from ..options import checked
from .pairing import Drawing, Estimate, Pairing

AGREEMENT: Final = {
    "judge": pl.String,
    "statistic": pl.String,
    "topics": pl.Int64,
    "documents": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
TopicStatistic = Callable[[FloatArray, FloatArray], float | None]
"""Maps what people say of a topic's documents, and their labels, to a statistic."""
STATISTICS: Final = ("kappa", "alpha", "tau_b", "auc")


@checked
def agreement_table(
    pairings: Sequence[Pairing], drawing: Drawing, *, weights: Weights, rel: float | None
) -> pl.DataFrame:
    """Return the columns of `AGREEMENT`, with four rows for each judge.

    - `kappa` is Cohen's κ with these weights, over the documents of all topics. It needs grades of one scale.
    - `alpha` is Krippendorff's α of two judges, the crowd and this one, over all documents: at ordinal level
      for grades of one scale, and at interval level for labels that are moved to people's scale.
    - `tau_b` is Kendall's τ_b of the documents of a topic, and `auc` the share of pairs of documents with
      different gains that the labels put into the right order, where a tie counts half. Both are means over
      topics. With `rel`, the pairs are those of a document with at least this gain and one with less: then
      `auc` is the area under the ROC curve.
    """
    rows = []
    for pairing in pairings:
        for statistic, value in {
            "kappa": _kappa(pairing, drawing, weights),
            "alpha": _alpha(pairing, drawing),
            "tau_b": drawing.mean(_by_topic(pairing, tau_b)),
            "auc": drawing.mean(_by_topic(pairing, partial(_auc, rel=_least_value(pairing, rel)))),
        }.items():
            rows.append((pairing.judge, statistic, len(pairing.topics), pairing.number, *value))
    return pl.DataFrame(rows, schema=AGREEMENT, orient="row")


def _grades(pairing: Pairing) -> tuple[FloatArray, FloatArray]:
    """Return all grades, and how often people and the judge give each pair of them (1, topics, pairs)."""
    grades, places = np.unique(np.concatenate([pairing.gain, pairing.label]), return_inverse=True)
    people, judge = np.split(places, 2)
    number = len(grades)
    cell = (pairing.topic * number + people) * number + judge
    counts = np.bincount(cell, minlength=len(pairing.topics) * number**2)
    return grades, counts.reshape(1, len(pairing.topics), number**2).astype(np.float64)


def _kappa(pairing: Pairing, drawing: Drawing, weights: Weights) -> Estimate:
    if not pairing.shares_scale:
        return None, None, None
    grades, counts = _grades(pairing)
    apart = np.abs(grades[:, None] - grades)
    cost = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]

    def kappa(sums: FloatArray) -> FloatArray:
        table = sums.reshape(*sums.shape[:-1], len(grades), len(grades))
        total = table.sum(axis=(-2, -1))
        by_chance = table.sum(axis=-1)[..., :, None] * table.sum(axis=-2)[..., None, :]
        result: FloatArray = 1 - total * (table * cost).sum(axis=(-2, -1)) / (by_chance * cost).sum(
            axis=(-2, -1)
        )
        return result

    return drawing.estimate(kappa, counts)


def _alpha(pairing: Pairing, drawing: Drawing) -> Estimate:
    if pairing.shares_scale:
        grades, counts = _grades(pairing)

        def ordinal(sums: FloatArray) -> FloatArray:
            table = sums.reshape(*sums.shape[:-1], len(grades), len(grades))
            return alphas_of_coincidences(table + np.swapaxes(table, -2, -1), "ordinal")

        return drawing.estimate(ordinal, counts)
    # Numbers near 0 lose no digits when they are squared.
    label = np.broadcast_to(pairing.matched - pairing.value.mean(), (len(pairing.noise) + 1, pairing.number))
    people = pairing.values() - pairing.value.mean()
    terms = (np.ones_like(label), label + people, label**2 + people**2, (label - people) ** 2)
    sums = np.stack([pairing.sums(term) for term in terms], axis=-1)

    def interval(sums: FloatArray) -> FloatArray:
        number, total, squares, apart = np.moveaxis(sums, -1, 0)
        variance = (squares - total**2 / (2 * number)) / (2 * number - 1)
        result: FloatArray = 1 - apart / (2 * number * variance)
        return result

    return drawing.estimate(interval, sums)


def _by_topic(pairing: Pairing, statistic: TopicStatistic) -> FloatArray:
    """Return a statistic of each topic (1 + resamples of the workers, topics), or NaN where there is none."""
    values = pairing.values()
    result = np.full((len(values), len(pairing.topics)), np.nan)
    for topic in range(len(pairing.topics)):
        inside = pairing.topic == topic
        label = pairing.label[inside]
        for sample, row in enumerate(values[:, inside]):
            found = statistic(row, label)
            result[sample, topic] = np.nan if found is None else found
    return result


def _least_value(pairing: Pairing, rel: float | None) -> float | None:
    """Return the value of the lowest relevant gain."""
    return float(np.log(rel)) if rel is not None and pairing.is_log and rel > 0 else rel


def _auc(people: FloatArray, label: FloatArray, rel: float | None) -> float | None:
    """Return the share of pairs that the labels order as people do, or None if people tie all documents.

    Example: gains 2, 1, 0 and labels 5, 5, 1. The labels order two of the three pairs rightly and tie one:
    2.5/3 = .83.
    """
    level = people if rel is None else (people >= rel).astype(np.float64)
    higher = level[:, None] > level
    if not higher.any():
        return None
    right = np.sign(label[:, None] - label)[higher]
    return float((right + 1).mean() / 2)

"""Intervals of the numbers in a report, most of them from resampled topics, documents or units."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
import scipy

from ..arrays import FloatArray, IntArray
from ..comparison.alpha_intervals import alpha_intervals
from ..comparison.item_resampling import NONE, Bounds, percentiles, resampled_items
from ..comparison.results import levels_of_rows
from ..frames import Gains
from ..magnitudes import normalise
from ..magnitudes.document_gains import KEYS
from ..score_table import Scores
from .data import ReportData

_AT_ONCE = 2**22
"""The number of weights that are in memory together."""


def with_bounds(table: pl.DataFrame, bounds: list[Bounds], after: str) -> pl.DataFrame:
    """Return the table with the new columns `low` and `high` right after the column `after`."""
    columns = {
        name: pl.Series(name, [pair[side] for pair in bounds], dtype=pl.Float64)
        for side, name in enumerate(("low", "high"))
    }
    place = table.columns.index(after) + 1
    return table.with_columns(**columns).select(*table.columns[:place], *columns, *table.columns[place:])


def _resampled(number: int, data: ReportData, statistic: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Return a statistic of each bootstrap sample of `number` items, as an array with a row for each sample.

    Each call of `statistic` gets some of the samples as an array (samples, items). The array says how often
    each sample contains each item.
    """
    return resampled_items(number, data.parameters.random, data.parameters.resamples, statistic)


def agreement_bounds(cells: pl.DataFrame, data: ReportData) -> dict[str, Bounds]:
    """Return the intervals of `agree` for the rows of `overall_agreement`, from resampled topics.

    A cell counts as often as its topic is in the sample. The bounds are None for fewer than two topics.
    """
    by_topic = (
        cells.group_by("topic_id")
        .agg(
            rows=pl.len(),
            shares=pl.col("agree").sum(),
            pairs=pl.col("pairs").sum(),
            agreeing=(pl.col("agreeing") + pl.col("tied")).sum(),
        )
        .sort("topic_id")
    )
    if by_topic.height < 2:
        return {"cells": NONE, "pooled": NONE}
    numbers = by_topic.select("shares", "rows", "agreeing", "pairs").to_numpy().astype(np.float64)
    sums = _resampled(by_topic.height, data, lambda weights: weights @ numbers)
    level = data.parameters.level
    return {
        "cells": percentiles(sums[:, 0] / sums[:, 1], level),
        "pooled": percentiles(sums[:, 2] / sums[:, 3], level),
    }


def tau_bounds(judged: Scores, known: Scores, measure: str, data: ReportData) -> Bounds:
    """Return the interval of τ_b between two rankings, from resampled topics.

    The mean of a run covers the topics of the sample in which both `judged` and `known` have a value for the
    run. Return None, None for fewer than two topics.
    """
    topics = [topic for topic in judged.topics if topic in set(known.topics)]
    x, y = (
        scores.values[:, [scores.topics.index(topic) for topic in topics], scores.measures.index(measure)]
        for scores in (judged, known)
    )
    present = ~(np.isnan(x) | np.isnan(y))
    used = present.any(axis=0)
    if used.sum() < 2:
        return NONE
    x, y, present = x[:, used], y[:, used], present[:, used]

    def taus(weights: FloatArray) -> FloatArray:
        counts = weights @ present.T.astype(float)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = [weights @ np.where(present, values, 0.0).T / counts for values in (x, y)]
        complete = (counts > 0).all(axis=1)
        return np.where(complete, taus_of_rows(*(np.nan_to_num(rows) for rows in means)), np.nan)

    return percentiles(_resampled(int(used.sum()), data, taus), data.parameters.level)


def taus_of_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return Kendall's τ_b between each row of `x` and the same row of `y` (rows, systems).

    τ_b is NaN for a row in which `x` or `y` ties all systems. The results equal those of `tau_b`.
    """
    first, second = np.triu_indices(x.shape[1], k=1)
    signs = [
        np.sign(levels[:, first] - levels[:, second]) for levels in (levels_of_rows(rows) for rows in (x, y))
    ]
    untied = np.sqrt((signs[0] ** 2).sum(axis=1) * (signs[1] ** 2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        taus: FloatArray = np.where(untied > 0, (signs[0] * signs[1]).sum(axis=1) / untied, np.nan)
    return taus


def alpha_bounds(data: ReportData, *, anchors: bool) -> dict[str, Bounds]:
    """Return the intervals of Krippendorff's α of the normalised judgments: see `alpha_intervals`."""
    choices = data.parameters
    return alpha_intervals(
        data.judgments,
        data.normalised,
        choices.random,
        anchors=anchors or not data.judgments.has_anchors,
        level=choices.level,
        resamples=choices.resamples,
    )


def profile_bounds(grades: Gains, data: ReportData) -> dict[tuple[bool, float | None], Bounds]:
    """Return the intervals of the medians of a gain profile, from resampled units.

    The keys are those of the rows of `gain_profile`: whether the anchors are included, and the grade.
    """
    judgments = data.judgments
    table = judgments.table.with_columns(
        value=normalise(judgments, "n"), unit=pl.struct(judgments.unit_keys).rank("dense") - 1
    ).join(grades.table.rename({"gain": "grade"}), on=KEYS, how="left", maintain_order="left")
    number = int(table["unit"].n_unique())
    if number < 2:
        return {}
    parts = {
        (anchors, grade): part.sort("value")
        for anchors, of_anchors in ((False, table.filter(gold="")), (True, table))
        for (grade,), part in of_anchors.group_by("grade")
    }
    columns = [
        (part["value"].to_numpy(), part["unit"].to_numpy().astype(np.int64)) for part in parts.values()
    ]

    def medians(weights: FloatArray) -> FloatArray:
        return np.stack([medians_of(weights, *of_part) for of_part in columns], axis=1)

    of_samples = _resampled(number, data, medians)
    level = data.parameters.level
    return {key: percentiles(values, level) for key, values in zip(parts, of_samples.T, strict=True)}


def medians_of(weights: FloatArray, values: FloatArray, cluster: IntArray) -> FloatArray:
    """Return the median of the values in each sample (resamples,), or NaN for a sample without values.

    `values` (rows,) are in ascending order, and `cluster` (rows,) has the cluster of each value. `weights`
    (resamples, clusters) says how often each sample contains each cluster. A value counts as often as the
    sample contains its cluster.
    """
    return np.concatenate(list(_medians(weights, values, cluster)))


def _medians(weights: FloatArray, values: FloatArray, cluster: IntArray) -> Iterator[FloatArray]:
    step = max(1, _AT_ONCE // max(1, len(values)))
    for start in range(0, len(weights), step):
        below = np.cumsum(weights[start : start + step, cluster], axis=1)
        total = below[:, -1:]
        # The middle values of a sample are at the counts ⌈n/2⌉ and ⌊n/2⌋ + 1.
        places = [
            np.minimum((below < middle).sum(axis=1), len(values) - 1)
            for middle in (np.ceil(total / 2), np.floor(total / 2) + 1)
        ]
        medians = (values[places[0]] + values[places[1]]) / 2
        yield np.where(total[:, 0] > 0, medians, np.nan)


def median_bounds(values: FloatArray, level: float) -> Bounds:
    """Return the distribution-free interval of a median [Conover, 1999, §3.2].

    The bounds are two of the values, or None if there are too few values for this level.
    """
    if not len(values):
        return NONE
    test = scipy.stats.quantile_test(values, q=float(np.median(values)), p=0.5)
    interval: Any = test.confidence_interval(level)
    bounds = float(interval.low), float(interval.high)
    return NONE if np.isnan(bounds).any() else bounds


def ratio_bounds(values: Gains, grades: Gains, data: ReportData) -> Mapping[str, Bounds]:
    """Return the intervals of the medians of `grade_ratios`, for each topic and for `all` topics.

    In a topic, the logarithm of the median ratio is the Hodges-Lehmann estimate of a shift. The interval goes
    from the kth smallest to the kth largest ratio. The rank k comes from the normal approximation to the
    distribution of Mann and Whitney's U [Lehmann, Annals of Mathematical Statistics 1963]. If k is below 1,
    there is no interval. The interval for all topics comes from resampled topics.
    """
    both = values.table.join(grades.table.rename({"gain": "grade"}), on=KEYS).sort(KEYS)
    topics = both["topic_id"].unique(maintain_order=True).to_list()
    quantile = scipy.stats.norm.isf((1 - data.parameters.level) / 2)
    ratios, bounds = [], {}
    for topic in topics:
        of_topic = both.filter(topic_id=topic)
        high, low = (
            of_topic.filter(pl.col("grade").is_in(chosen))["gain"].to_numpy()
            for chosen in ([3.0], [1.0, 2.0])
        )
        of_pairs = np.sort(np.divide.outer(high, low).ravel())
        ratios.append(of_pairs)
        pairs = len(of_pairs)
        rank = int(pairs / 2 - quantile * np.sqrt(pairs * (len(high) + len(low) + 1) / 12))
        bounds[topic] = NONE if rank < 1 else (float(of_pairs[rank - 1]), float(of_pairs[pairs - rank]))
    pooled = np.concatenate([np.empty(0), *ratios])
    if len(topics) < 2 or not len(pooled):
        return {**bounds, "all": NONE}
    order = np.argsort(pooled, kind="stable")
    topic_of = np.repeat(np.arange(len(topics)), [len(part) for part in ratios])

    def medians(weights: FloatArray) -> FloatArray:
        return medians_of(weights, pooled[order], topic_of[order])

    return {**bounds, "all": percentiles(_resampled(len(topics), data, medians), data.parameters.level)}

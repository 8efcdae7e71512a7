"""Intervals of Krippendorff's α on every scale, from resampled documents or pairs of documents."""

import copy

import numpy as np
import polars as pl

from ..arguments import refuse_level, refuse_resamples
from ..arrays import FloatArray
from ..conventions import RESAMPLES
from ..frames import Judgments
from ..means import ALL
from ..scales import scale_of
from ..scales.scale import Scale
from .agreement import KEYS, alphas_of_coincidences, judged_items
from .item_resampling import NONE, Bounds, percentiles, resampled_items


def alpha_intervals(
    judgments: Judgments,
    magnitudes: FloatArray,
    rng: np.random.Generator,
    *,
    anchors: bool = True,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> dict[str, Bounds]:
    """Return the interval of α of each topic, and of `all`, by the names that `alpha_of_magnitudes` uses.

    `magnitudes` and `anchors` are those of `alpha_of_magnitudes`. An interval comes from resampled items: an
    item is a document or, if judgments compare two documents, a pair. Items with a single judgment are left
    out. The bounds are None if fewer than two items remain. Every topic starts from the same state of `rng`.

    At the interval level, α is 1 − Σ m·s² / (n·S²), where the sum is over the items of a sample. An item has
    m judgments, and their variance is s². The whole sample has n judgments, and their variance is S². At
    other levels, α comes from how often two judgments of an item have two values [Krippendorff 2011].

    Raise `InputError` for a `level` outside (0, 1) and for fewer than one resample.
    """
    refuse_level(level)
    refuse_resamples(resamples)
    scale = scale_of(judgments)
    items = judged_items(judgments, magnitudes, anchors=anchors)
    topics = {str(topic): part for (topic,), part in items.group_by("topic_id", maintain_order=True)}
    alphas_of = _interval_alphas if scale.alpha_level == "interval" else _counted_alphas
    return {
        name: percentiles(alphas, level) if len(alphas) else NONE
        for name, part in {**topics, ALL: items}.items()
        for alphas in [alphas_of(part, scale, copy.deepcopy(rng), resamples)]
    }


def _interval_alphas(
    items: pl.DataFrame, scale: Scale, rng: np.random.Generator, resamples: int
) -> FloatArray:
    """Return α of each sample at the interval level, or no values for fewer than two items."""
    value = pl.col("value")
    sums = (
        items.with_columns(value=value - value.mean())  # squares of small numbers lose no digits
        .group_by(KEYS)
        .agg(
            size=pl.len().cast(pl.Float64),
            within=value.var() * pl.len(),
            total=value.sum(),
            squares=(value**2).sum(),
        )
        .sort(KEYS)
    )
    if sums.height < 2:
        return np.empty(0)
    numbers = sums.select("size", "within", "total", "squares").to_numpy()
    size, within, total, squares = resampled_items(
        sums.height, rng, resamples, lambda weights: weights @ numbers
    ).T
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (squares - total**2 / size) / (size - 1)
        alphas: FloatArray = np.where(spread > 0, 1 - within / (size * spread), np.nan)
    return alphas


def _counted_alphas(
    items: pl.DataFrame, scale: Scale, rng: np.random.Generator, resamples: int
) -> FloatArray:
    """Return α of each sample at the ordinal or nominal level. The items have few different values."""
    if items.is_empty():
        return np.empty(0)
    values = items["value"].unique().sort()
    counts = [(pl.col("value") == value).sum().cast(pl.Float64).alias(str(value)) for value in values]
    drawn = items.filter(~pl.col("is_reverse")).group_by("item").agg(*counts)
    rows = drawn.select(map(str, values)).to_numpy()
    rows = rows[np.lexsort(rows.T)]  # so that the order of the rows has no effect
    if len(rows) < 2:
        return np.empty(0)
    pairs = rows[:, :, None] * rows[:, None, :] - rows[:, :, None] * np.eye(len(values))
    together = pairs / (rows.sum(axis=1) - 1)[:, None, None]
    if scale.compares_pairs:
        together += together[:, ::-1, ::-1]  # the other direction of each pair

    def alphas(weights: FloatArray) -> FloatArray:
        return alphas_of_coincidences(np.tensordot(weights, together, 1), scale.alpha_level)

    return resampled_items(len(rows), rng, resamples, alphas)

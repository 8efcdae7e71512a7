"""Agreement between judgments: cross-tables of two sets of judgments, and Krippendorff's α among judges."""

from typing import Literal

import krippendorff
import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..columns import Column, ids, numbers, table_of
from ..compared import COMPARED_WITH
from ..errors import InputError
from ..frames import Gains, Judgments
from ..magnitudes.anchors import refuse_without_gold
from ..magnitudes.groups import Groups
from ..means import ALL, refuse_topic_all
from ..options import checked
from ..origin import NO_FILE
from ..scales import scale_of

Level = Literal["interval", "ordinal", "nominal"]
KEYS = ["topic_id", "document_id"]


def cross_table(first: Gains, second: Gains) -> pl.DataFrame:
    """Cross-tabulate the values of documents in two sets of judgments [Järvelin & Kekäläinen 2002, table I].

    Return a row for each pair of a value in `first` and a value in `second`, sorted by these values. A pair
    without documents has a row too. Only documents that are in both sets count. The columns are `first,
    second, documents` and `share`. `share` is the number of documents that have both values, divided by the
    number of documents that have the value in `second`. So the shares add up to 1 for each value in `second`.

    Example: `second` calls 2,772 documents relevant, and `first` calls 691 of these not relevant. This pair
    of values has a share of 691/2,772 = .25.
    """
    both = first.table.rename({"gain": "first"}).join(second.table.rename({"gain": "second"}), on=KEYS)
    counted = both.group_by("first", "second").agg(pl.len().cast(pl.Int64).alias("documents"))
    cells = both.select(pl.col("first").unique()).join(both.select(pl.col("second").unique()), how="cross")
    table = cells.join(counted, on=["first", "second"], how="left").with_columns(
        pl.col("documents").fill_null(0)
    )
    share = pl.col("documents") / pl.col("documents").sum().over("second")
    return table.sort("first", "second").with_columns(share=share)


@checked
def krippendorff_alpha(items: Column, values: Column, level: Level = "interval") -> float | None:
    """Return Krippendorff's α = 1 − D_o/D_e [Krippendorff 2011].

    D_o is the observed disagreement, and D_e is the disagreement expected by chance. `items` and `values`
    have an entry for each judgment: the judged item, and the value given to it. It does not matter who made
    the judgment. Items with only one judgment are left out, because they say nothing about agreement. `level`
    sets the difference between two values c and k. For `"interval"`, the difference is (c − k)². For
    `"ordinal"`, it depends on how many judgments have a value from c to k. For `"nominal"`, it depends on
    whether c and k are equal. Return None if no item has two judgments, or if all values are the same.

    Raise `InputError` for an item that is neither text nor a whole number, and for a value that is not a
    finite number.

    Example: one item is judged 1 and 2, and another is judged 5 and 5. D_o = 2·1/4, D_e = 2·(1 + 2·16 +
    2·9)/12 = 8.5, and α = 1 − .5/8.5 = .94.
    """
    table = table_of({"item": ids("item", items, NO_FILE), "value": numbers("value", values, NO_FILE)})
    if not table["value"].is_finite().all():
        raise InputError(
            "judged-value-not-finite",
            "a value is infinite or NaN; leave out judgments without a finite value",
        )
    table = table.filter(pl.len().over("item") > 1)
    if table["value"].n_unique() < 2:
        return None
    groups = Groups.by(table, ["item"])
    if level == "interval":
        return _alpha_of_variances(groups, table["value"].to_numpy())
    return float(krippendorff.alpha(value_counts=_counts(groups, table), level_of_measurement=level))


def alpha_of_magnitudes(
    judgments: Judgments, magnitudes: FloatArray, *, anchors: bool = True
) -> pl.DataFrame:
    """Return Krippendorff's α for each topic, at the level of the scale.

    `magnitudes` has a raw or normalised number for each judgment. For magnitudes, α is computed at interval
    level from their logarithms. Ratings have the interval level without logarithms, grades and preferences
    the ordinal level. With `anchors=False`, the documents that the column `gold` marks are left out.
    Plumbline accepts only units in which H is above N, so with the anchors, α is too large.

    If a judgment compares two documents, the judged items are the pairs, and `anchors=False` leaves out the
    pairs of two anchors. Each judgment counts in both directions: as the points of one document, and as 1
    minus these points of the other. So α does not depend on which document was shown first.

    The columns are `topic_id, documents, judgments` and `alpha`. Rows are sorted by topic. The numbers of
    `documents` (or pairs) and `judgments` cover only those with two or more judgments. The last row, `all`,
    covers all topics. `alpha` is null where `krippendorff_alpha` returns None. Raise `InputError`
    unless each judgment has one magnitude. With `anchors=False`, also raise `InputError` if the column `gold`
    is missing.
    """
    if len(magnitudes) != len(judgments.table):
        raise InputError(
            "magnitudes-differ-in-number",
            "there are {magnitudes} magnitudes for {judgments} judgments; give one magnitude per judgment",
            magnitudes=len(magnitudes),
            judgments=len(judgments.table),
        )
    refuse_topic_all(judgments, may_be_alone=True)
    if not anchors:
        refuse_without_gold(judgments)
    table = judged_items(judgments, magnitudes, anchors=anchors)
    topics = judgments.table["topic_id"].unique().sort().to_list()
    scale = scale_of(judgments)
    directions = 2 if scale.compares_pairs else 1
    rows = []
    for topic, part in [
        *((name, table.filter(pl.col("topic_id") == name)) for name in topics),
        (ALL, table),
    ]:
        alpha = krippendorff_alpha(part["item"], part["value"], scale.alpha_level)
        rows.append((topic, part["item"].n_unique() // directions, len(part) // directions, alpha))
    schema = {"topic_id": pl.String, "documents": pl.Int64, "judgments": pl.Int64, "alpha": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def judged_items(judgments: Judgments, values: FloatArray, *, anchors: bool = True) -> pl.DataFrame:
    """Return the items that two or more judgments judge, with a row for each judgment.

    The columns are `topic_id, document_id, item, value, is_reverse`. An item is a document of a topic or, if
    judgments compare two documents, a pair in one direction. Then each judgment has two rows, one for each
    direction, `is_reverse` marks one of the directions, and there is also the column `compared_with`. Numbers
    with ratios become logarithms.
    """
    scale = scale_of(judgments)
    table = judgments.table.with_columns(value=np.log(values) if scale.has_ratios else values)
    if not anchors:
        table = table.filter(~judgments.is_of_anchors)
    keys, is_reverse = KEYS, pl.lit(value=False)
    if scale.compares_pairs:
        is_reverse = pl.col("document_id") > pl.col(COMPARED_WITH)
        keys = [*KEYS, COMPARED_WITH]
        turned = {"document_id": COMPARED_WITH, COMPARED_WITH: "document_id"}
        other = table.rename(turned).with_columns(value=1 - pl.col("value"))
        table = pl.concat([part.select(*keys, "value") for part in (table, other)])
    groups = Groups.by(table, keys)
    items = pl.Series("item", groups.member).cast(pl.String)
    rows = table.select(*keys, items, "value", is_reverse=is_reverse)
    return rows.filter(groups.sizes[groups.member] > 1)


@checked
def alphas_of_coincidences(coincidences: FloatArray, level: Level) -> FloatArray:
    """Return α for each matrix of coincidences (samples, values, values), at ordinal or nominal level.

    A matrix says how often two judgments of an item have two values, where each pair of m judgments counts
    1/(m − 1) [Krippendorff 2011]. The values are in ascending order. α is NaN if all values are the same.
    """
    of_value = coincidences.sum(axis=-1)
    total = of_value.sum(axis=-1)
    if level == "ordinal":
        place = np.cumsum(of_value, axis=-1) - of_value / 2
        squares = (place[..., :, None] - place[..., None, :]) ** 2
    else:
        squares = np.broadcast_to(1 - np.eye(of_value.shape[-1]), coincidences.shape)
    observed = (coincidences * squares).sum(axis=(-2, -1))
    expected = (of_value[..., :, None] * of_value[..., None, :] * squares).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas: FloatArray = np.where(expected > 0, 1 - (total - 1) * observed / expected, np.nan)
    return alphas


def _counts(groups: Groups, table: pl.DataFrame) -> IntArray:
    """Return a matrix (items, values) that counts how often each item has each value.

    The values are in ascending order.
    """
    values, place = np.unique(table["value"].to_numpy(), return_inverse=True)
    cell = groups.member * len(values) + place
    counts = np.bincount(cell, minlength=len(groups.sizes) * len(values))
    return counts.reshape(len(groups.sizes), len(values)).astype(np.int64)


def _alpha_of_variances(groups: Groups, values: FloatArray) -> float:
    """Return α at interval level: 1 − Σ m·s²_item / (n·s²), for m judgments of an item and n in total.

    s²_item is the sample variance of an item's values, and s² that of all values. So D_o = Σ m·2s²_item / n
    and D_e = 2s². The `krippendorff` package computes the same value, but it stores items × values² numbers.
    For a topic in which nearly all magnitudes differ, these numbers take gigabytes.
    """
    # Scaling does not change α. Scaling by a power of two loses no digits. This power keeps squares in range.
    values = np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
    ordered = groups.sorted(values)
    means = np.add.reduceat(ordered.values, ordered.starts) / ordered.sizes
    away = ordered.values - np.repeat(means, ordered.sizes)
    within = np.add.reduceat(away**2, ordered.starts) / (ordered.sizes - 1)
    # Values are sorted before they are added, so that the order of the rows does not change the last bits.
    return float(1 - np.sort(ordered.sizes * within).sum() / (len(values) * np.sort(values).var(ddof=1)))

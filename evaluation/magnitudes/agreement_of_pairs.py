"""Pairwise agreement: how often judgments order two documents in the same way as a reference."""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..frames import Gains
from ..options import checked
from .document_gains import KEYS, SAME

CELL = {
    "topic_id": pl.String,
    "lower": pl.Float64,
    "higher": pl.Float64,
    "pairs": pl.Int64,
    "agreeing": pl.Int64,
    "tied": pl.Int64,
}
AGREEING, TIED, PAIRS = pl.col("agreeing"), pl.col("tied"), pl.col("pairs")
RULES = {
    "agree": (AGREEING + TIED) / PAIRS,
    "half": (AGREEING + TIED / 2) / PAIRS,
    "disagree": AGREEING / PAIRS,
}
"""The three shares of agreeing pairs, which count a tie in different ways."""


Counted = Literal["untied", "all"]
"""Which pairs of documents with different grades count: only pairs untied in the reference, or all pairs."""


@checked
def pairwise_agreement(
    judged: Gains, reference: Gains, grades: Gains | None = None, counted: Counted = "untied"
) -> pl.DataFrame:
    """Return how often `judged` orders two documents as `reference` does, by topic and pair of grades.

    By default, the table counts pairs of documents that have different grades and are not tied in the
    reference. A pair agrees if `judged` orders it as the reference does. With `counted="all"`, every pair
    with different grades counts, and a pair that is tied in the reference is a tie, however `judged` orders
    the pair.

    By default, the grades are the values of the reference. You can give other `grades`, for example to
    compare magnitudes with binary judgments but group the pairs by grade. Documents that are missing from
    `judged`, `reference` or `grades` are left out.

    Return a row for each topic and pair of grades with at least one pair of documents. The rows are sorted by
    topic and grades. The columns are `topic_id, lower, higher` (the two grades), `pairs, agreeing, tied` and
    three shares. Values in `judged` that differ by at most 1 part in 10¹² are tied. The shares of agreeing
    pairs count a tie as an agreement (`agree`), as half an agreement (`half`) or as no agreement
    (`disagree`). `agree` is the share that [Turpin et al. 2015] define.

    Example: the grades 0, 0, 2, 2 with the magnitudes 2, 5, 5, 1 have four pairs. One of them agrees and one
    is tied, so the shares are .50, .375 and .25.
    """
    grades = reference if grades is None else grades
    table = judged.table.rename({"gain": "value"})
    for name, other in (("reference", reference), ("grade", grades)):
        table = table.join(other.table.rename({"gain": name}), on=KEYS)
    cells = [
        (topic, lower, higher, *counts)
        for (topic,), of_topic in table.sort("topic_id").group_by("topic_id", maintain_order=True)
        for (lower, higher), counts in _counts(of_topic, counted)
    ]
    return pl.DataFrame(cells, schema=CELL, orient="row").with_columns(**RULES)


def agreement_by_pair(cells: pl.DataFrame) -> pl.DataFrame:
    """Return, for each pair of grades, the means over topics of the shares in `cells`.

    `cells` is the result of `pairwise_agreement`. The columns are `lower, higher, topics, pairs, agree, half,
    disagree`, and the rows are sorted by grades. `topics` counts the topics that have the pair of grades.
    `pairs` counts the pairs of documents that have these two grades, over all topics.
    """
    means = [pl.col(rule).mean() for rule in RULES]
    grouped = cells.sort("topic_id").group_by("lower", "higher", maintain_order=True)
    counted = grouped.agg(pl.len().cast(pl.Int64).alias("topics"), PAIRS.sum(), *means)
    return counted.sort("lower", "higher")


def overall_agreement(cells: pl.DataFrame) -> pl.DataFrame:
    """Return two overall means of the shares in `cells`: over its rows, and over all pairs of documents.

    `cells` is the result of `pairwise_agreement`. In the first row, `mean` is `"cells"`, and every row of
    `cells` has the same weight. In the second row, `mean` is `"pooled"`, and every pair of documents has the
    same weight. The other columns are `cells` (the number of rows), `pairs, agree, half, disagree`. If there
    are no rows, the means are null.
    """
    totals = cells.select(pl.len().cast(pl.Int64).alias("cells"), PAIRS.sum())
    of_cells = cells.select(pl.col(rule).mean() for rule in RULES)
    summed = cells.select(PAIRS.sum(), AGREEING.sum(), TIED.sum())
    pooled = summed.select(pl.when(PAIRS > 0).then(share).alias(rule) for rule, share in RULES.items())
    return pl.concat(
        [
            pl.concat([pl.DataFrame({"mean": [name]}), totals, means], how="horizontal")
            for name, means in (("cells", of_cells), ("pooled", pooled))
        ]
    )


def _counts(
    of_topic: pl.DataFrame, counted: Counted
) -> Iterator[tuple[tuple[float, float], tuple[int, int, int]]]:
    """Yield each pair of grades in the topic, with the numbers of all, agreeing and tied document pairs."""
    ranked = of_topic.with_columns(rank=_ranks(of_topic["value"].to_numpy()))
    by_level = {
        (float(grade), float(level)): np.sort(group["rank"].to_numpy())
        for (grade, level), group in ranked.group_by("grade", "reference")
    }
    counts: dict[tuple[float, float], tuple[int, int, int]] = {}
    for (grade, level), (other_grade, other_level) in combinations(sorted(by_level), 2):
        if grade == other_grade or (level == other_level and counted == "untied"):
            continue
        below, above = (by_level[grade, level], by_level[other_grade, other_level])
        if level > other_level:
            below, above = above, below
        compared = _compared(below, above)
        if level == other_level:
            compared = compared[0], 0, compared[0]
        before = counts.get((grade, other_grade), (0, 0, 0))
        counts[grade, other_grade] = _added(before, compared)
    yield from sorted(counts.items())


def _ranks(values: FloatArray) -> IntArray:
    """Return ascending ranks 0, 1, … of the values. Values that differ only by rounding share a rank."""
    order = np.argsort(values)
    ascending = values[order]
    ranks = np.zeros(len(values), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(ascending[1:] > ascending[:-1] * (1 + SAME))
    return ranks


def _compared(below: IntArray, above: IntArray) -> tuple[int, int, int]:
    """Count the pairs that consist of a rank in `below` and a rank in `above`.

    Return the numbers of all pairs, of pairs in which the rank in `below` is smaller, and of tied pairs.
    `below` and `above` must be in ascending order.
    """
    smaller = np.searchsorted(below, above, side="left").sum()
    not_larger = np.searchsorted(below, above, side="right").sum()
    return len(below) * len(above), int(smaller), int(not_larger - smaller)


def _added(first: tuple[int, int, int], second: tuple[int, int, int]) -> tuple[int, int, int]:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]

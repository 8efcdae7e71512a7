"""Pairwise agreement: does a judgment order two documents as a reference does?"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray
from evaluation.frames import Gains
from evaluation.magnitudes.documents import KEYS, SAME

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
"""What a tie of the judgment counts as."""


def pairwise_agreement(judged: Gains, reference: Gains, grades: Gains | None = None) -> pl.DataFrame:
    """How often `judged` orders a pair of documents as `reference` does, by topic and pair of grades.

    A pair of documents of different grades enters when the reference orders it strictly; it agrees when
    `judged` orders it the same way. Grades are those of the reference, unless others are given: magnitudes
    against binary judgments are still grouped by grades. Only documents that all of them know take part.

    Returns a row for each topic and pair of grades that has pairs, sorted: `topic_id, lower, higher` (the two
    grades), `pairs, agreeing, tied` (in `judged`, within a part in 10¹²), and the share that agrees when ties
    are taken to `agree`, as [Turpin et al. 2015] word it, for `half`, or to `disagree`.

    Example: grades 0, 0, 2, 2 with the magnitudes 2, 5, 5, 1: of the four pairs one agrees and one is tied:
    .50, .375 and .25.
    """
    grades = reference if grades is None else grades
    table = judged.table.rename({"gain": "value"})
    for name, other in (("reference", reference), ("grade", grades)):
        table = table.join(other.table.rename({"gain": name}), on=KEYS)
    cells = [
        (topic, lower, higher, *counts)
        for (topic,), of_topic in table.sort("topic_id").group_by("topic_id", maintain_order=True)
        for (lower, higher), counts in _counts(of_topic)
    ]
    return pl.DataFrame(cells, schema=CELL, orient="row").with_columns(**RULES)


def agreement_by_pair(cells: pl.DataFrame) -> pl.DataFrame:
    """For each pair of grades the means of `pairwise_agreement` over the topics that have such pairs.

    Returns the columns `lower, higher, topics, pairs, agree, half, disagree`, sorted.
    """
    means = [pl.col(rule).mean() for rule in RULES]
    grouped = cells.sort("topic_id").group_by("lower", "higher", maintain_order=True)
    counted = grouped.agg(pl.len().cast(pl.Int64).alias("topics"), PAIRS.sum(), *means)
    return counted.sort("lower", "higher")


def overall_agreement(cells: pl.DataFrame) -> pl.DataFrame:
    """The two overall means of `pairwise_agreement`: each cell counts once, or each pair of documents.

    Returns two rows, `mean` being `cells` and `pooled`, with the columns `cells, pairs, agree, half,
    disagree`; without any cell the means are null.
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


def _counts(of_topic: pl.DataFrame) -> Iterator[tuple[tuple[float, float], tuple[int, int, int]]]:
    """The topic's pairs of grades with their pairs of documents, all, agreeing and tied ones."""
    ranked = of_topic.with_columns(rank=_ranks(of_topic["value"].to_numpy()))
    by_level = {
        (float(grade), float(level)): np.sort(group["rank"].to_numpy())
        for (grade, level), group in ranked.group_by("grade", "reference")
    }
    found: dict[tuple[float, float], tuple[int, int, int]] = {}
    for (grade, level), (other_grade, other_level) in combinations(sorted(by_level), 2):
        if grade == other_grade or level == other_level:
            continue
        below, above = (by_level[grade, level], by_level[other_grade, other_level])
        if level > other_level:
            below, above = above, below
        before = found.get((grade, other_grade), (0, 0, 0))
        found[grade, other_grade] = _added(before, _compared(below, above))
    yield from sorted(found.items())


def _ranks(values: FloatArray) -> IntArray:
    """Ranks 0, 1, … ascending; values that are the same but for rounding share one."""
    order = np.argsort(values)
    ascending = values[order]
    ranks = np.zeros(len(values), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(ascending[1:] > ascending[:-1] * (1 + SAME))
    return ranks


def _compared(below: IntArray, above: IntArray) -> tuple[int, int, int]:
    """Of all pairs of a rank of each list, both ascending: their number, those in order, and the ties."""
    smaller = np.searchsorted(below, above, side="left").sum()
    not_larger = np.searchsorted(below, above, side="right").sum()
    return len(below) * len(above), int(smaller), int(not_larger - smaller)


def _added(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]

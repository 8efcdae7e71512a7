"""Box plots of the documents' values by grade, and of ratios between grades by topic [T15]."""

from collections.abc import Sequence

import polars as pl

from ..frames import Gains
from ..magnitudes.profiles import grade_ratios, ratios_of_pairs
from .graded import graded

VALUE = pl.col("value")


def boxes(values: Gains, grades: Gains, *, by_topic: bool = False, reach: float = 1.5) -> pl.DataFrame:
    """Compute a box plot for each grade, over all topics or, with `by_topic`, for each topic.

    `values` has each document's median magnitude. Quartiles are interpolated linearly. A whisker ends at the
    most extreme value that is at most `reach` times the interquartile range away from the box. If that value
    lies inside the box, which is possible with few values, the whisker ends at the edge of the box. For
    example, the first quartile of 1, 10, 10, 10 is 7.75, and 1 is an outlier, so the lower whisker ends at
    7.75.

    Return `grade, documents, low, q1, median, q3, high, outliers`, sorted by grade; with `by_topic`,
    `topic_id` comes first. `outliers` counts the documents beyond the whiskers. Documents without a grade,
    which [T15] calls group U, form the last row or, with `by_topic`, the last row of each topic. The `grade`
    of such a row is null.

    Example: the values 1, 2, 3, 4, 100 of one grade have the quartiles 2, 3 and 4. The whiskers can reach
    from 2 − 1.5·2 to 4 + 1.5·2, so they end at 1 and 4, and 100 is an outlier.
    """
    keys = ["topic_id", "grade"] if by_topic else ["grade"]
    boxed = graded(values, grades, others=True).group_by(keys).agg(**_statistics(reach))
    return boxed.sort(keys, nulls_last=True)


def outliers(values: Gains, grades: Gains, *, by_topic: bool = False, reach: float = 1.5) -> pl.DataFrame:
    """Return the documents beyond the whiskers of `boxes`, as a table `topic_id, document_id, value, grade`.

    The rows are sorted by topic and document.
    """
    keys = ["topic_id", "grade"] if by_topic else ["grade"]
    table = graded(values, grades, others=True)
    return table.filter((~_within(reach)).over(keys))


def ratio_boxes(
    values: Gains,
    grades: Gains,
    *,
    high: Sequence[float] = (3,),
    low: Sequence[float] = (1, 2),
    limit: float = 3.5,
    reach: float = 1.5,
) -> pl.DataFrame:
    """Compute a box plot of the ratios between high-graded and low-graded documents, for each topic.

    The ratios are those of `grade_ratios`, and boxes and whiskers are those of `boxes`. Return `topic_id,
    pairs, low, q1, median, q3, high, outliers, above`, with a row for each topic with graded documents and a
    last row for `all` topics. `outliers` counts the ratios beyond the whiskers, and `above` those above
    `limit`. `low` to `high` are null if there are no pairs. Raise `InputError` in the same cases as
    `grade_ratios`.

    Example: two H documents have the values 8 and 12, an R document has 4, and an M document has 2. The
    ratios are 2, 3, 4 and 6, their quartiles are 2.75 and 4.5, and the whiskers end at 2 and 6.
    """
    ratios = ratios_of_pairs(values, grades, high=high, low=low)
    rows = [(topic, ratio) for topic, of_topic in ratios.items() for ratio in of_topic.tolist()]
    table = pl.DataFrame(rows, schema={"topic_id": pl.String, "value": pl.Float64}, orient="row")
    boxed = table.group_by("topic_id").agg(**_statistics(reach)).drop("documents")
    counted = grade_ratios(values, grades, high=high, low=low, limit=limit).drop("median")
    joined = counted.join(boxed, on="topic_id", how="left", maintain_order="left")
    return joined.select(pl.exclude("above"), "above").with_columns(pl.col("outliers").fill_null(0))


def _within(reach: float) -> pl.Expr:
    q1, q3 = (VALUE.quantile(share, "linear") for share in (0.25, 0.75))
    return VALUE.is_between(q1 - reach * (q3 - q1), q3 + reach * (q3 - q1))


def _statistics(reach: float) -> dict[str, pl.Expr]:
    within = _within(reach)
    q1, q3 = (VALUE.quantile(share, "linear") for share in (0.25, 0.75))
    return {
        "documents": pl.len().cast(pl.Int64),
        "low": pl.min_horizontal(VALUE.filter(within).min(), q1),
        "q1": q1,
        "median": VALUE.median(),
        "q3": q3,
        "high": pl.max_horizontal(VALUE.filter(within).max(), q3),
        "outliers": (~within).sum().cast(pl.Int64),
    }

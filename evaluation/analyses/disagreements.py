"""Documents that the crowd values as those of another grade, to be looked at one by one [T15]."""

import polars as pl

from evaluation.analyses.graded import graded, with_logs
from evaluation.errors import InputError
from evaluation.frames import Gains
from evaluation.magnitudes.documents import KEYS

ROUNDING = 1e-12
COLUMNS = [
    *KEYS,
    "grade",
    "nearest",
    "value",
    "own_median",
    "nearest_median",
    "own_distance",
    "nearest_distance",
    "difference",
]


def disagreements(values: Gains, grades: Gains, comments: pl.DataFrame | None = None) -> pl.DataFrame:
    """Graded documents whose value is nearer to another grade's median in the topic than to their own's.

    `values` are the medians of the documents; distances are |ln value − ln median|, and the medians those of
    each grade's documents in the topic, the document itself among its own. `comments` are the workers'
    justifications, a table with the columns `topic_id, document_id, comment`.

    Returns `topic_id, document_id, grade, nearest` (the grade it is nearest to), `value, own_median,
    nearest_median, own_distance, nearest_distance, difference` (of the two distances), the largest difference
    first, then by topic and document; with `comments` the column `comments`, a list of those that are not
    empty, in their order. Raises `InputError` for a value of 0 and for `comments` without those columns.

    Example: N worth 1, 1 and 8, H worth 8 and 8: the third N is ln 8 = 2.08 from the median 1 of its own
    grade and 0 from that of H.
    """
    table = with_logs(graded(values, grades))
    medians = table.group_by("topic_id", "grade").agg(median=pl.col("value").median())
    own = medians.rename({"median": "own_median"})
    nearest = medians.rename({"grade": "nearest", "median": "nearest_median"})
    compared = (
        table.join(own, on=["topic_id", "grade"])
        .join(nearest, on="topic_id")
        .filter(pl.col("nearest") != pl.col("grade"))
        .with_columns(
            own_distance=(pl.col("log") - pl.col("own_median").log()).abs(),
            nearest_distance=(pl.col("log") - pl.col("nearest_median").log()).abs(),
        )
        .with_columns(difference=pl.col("own_distance") - pl.col("nearest_distance"))
        .filter(pl.col("difference") > ROUNDING)
        .sort(*KEYS, "nearest_distance", "nearest")
        .unique(KEYS, keep="first", maintain_order=True)
        .sort("difference", *KEYS, descending=[True, False, False])
        .select(COLUMNS)
    )
    return compared if comments is None else _with(compared, comments)


def _with(table: pl.DataFrame, comments: pl.DataFrame) -> pl.DataFrame:
    if missing := [name for name in (*KEYS, "comment") if name not in comments.columns]:
        raise InputError(
            "comments-without-column",
            "the comments have no column {missing}; add it to the columns {present}",
            missing=missing[0],
            present=", ".join(comments.columns),
        )
    if mistyped := [name for name in (*KEYS, "comment") if comments[name].dtype != pl.String]:
        raise InputError(
            "comments-not-text",
            "the column {column} of the comments has the type {type}; give text",
            column=mistyped[0],
            type=str(comments[mistyped[0]].dtype),
        )
    said = comments.filter(pl.col("comment").str.strip_chars() != "")
    lists = said.group_by(KEYS, maintain_order=True).agg(comments=pl.col("comment"))
    joined = table.join(lists, on=KEYS, how="left", maintain_order="left")
    return joined.with_columns(pl.col("comments").fill_null(pl.lit([], dtype=pl.List(pl.String))))

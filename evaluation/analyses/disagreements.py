"""Find documents whose values suggest a different grade, so that people can inspect them [T15]."""

import polars as pl

from ..errors import InputError
from ..frames import Gains
from ..magnitudes.document_gains import KEYS
from .graded import graded, with_logs

ROUNDING = 1e-12
_COMPARED = ("value", "own_median", "nearest_median")
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


def disagreements(
    values: Gains, grades: Gains, comments: pl.DataFrame | None = None, *, log: bool = True
) -> pl.DataFrame:
    """Return the documents whose values are nearer to another grade's median than to their own grade's.

    `values` has each document's median magnitude or rating. A distance is |ln value − ln median| or, with
    `log=False`, |value − median|, which suits ratings. A grade's median is taken over all documents of the
    grade in the topic, including the document itself. `comments` is a table of the workers' justifications
    with the columns `topic_id, document_id, comment`.

    Return `topic_id, document_id, grade, nearest` (the nearest other grade), `value, own_median,
    nearest_median, own_distance, nearest_distance, difference` (`own_distance` minus `nearest_distance`).
    Rows are sorted by difference, the largest first, then by topic and document. If `comments` are given, the
    result also has a column `comments`: a list of the document's non-empty comments, in their original order.
    Documents without a grade are left out. Raise `InputError` if `log` is set and a value is 0, or if a
    column of `comments` is missing or not text.

    Example: three documents of grade N have the values 1, 1 and 8, and two documents of grade H both have the
    value 8. The median of N is 1, and the median of H is 8. So the third N document is ln 8 = 2.08 away from
    the median of N, and 0 away from the median of H.
    """
    table = graded(values, grades)
    if log:
        with_logs(table)  # raises `InputError` for a value without a logarithm
    medians = table.group_by("topic_id", "grade").agg(median=pl.col("value").median())
    own = medians.rename({"median": "own_median"})
    nearest = medians.rename({"grade": "nearest", "median": "nearest_median"})
    compared = (
        table.join(own, on=["topic_id", "grade"])
        .join(nearest, on="topic_id")
        .filter(pl.col("nearest") != pl.col("grade"))
        .with_columns(
            own_distance=_distance("own_median", log=log),
            nearest_distance=_distance("nearest_median", log=log),
        )
        .with_columns(difference=pl.col("own_distance") - pl.col("nearest_distance"))
        .filter(pl.col("difference") > (ROUNDING if log else ROUNDING * pl.max_horizontal(_COMPARED)))
        .sort(*KEYS, "nearest_distance", "nearest")
        .unique(KEYS, keep="first", maintain_order=True)
        .sort("difference", *KEYS, descending=[True, False, False])
        .select(COLUMNS)
    )
    return compared if comments is None else _with_comments(compared, comments)


def _distance(median: str, *, log: bool) -> pl.Expr:
    value, other = (pl.col(name).log() if log else pl.col(name) for name in ("value", median))
    return (value - other).abs()


def _with_comments(table: pl.DataFrame, comments: pl.DataFrame) -> pl.DataFrame:
    if missing := [name for name in (*KEYS, "comment") if name not in comments.columns]:
        raise InputError(
            "comments-without-column",
            "the comments have no column {missing}, only {present}; add the missing column",
            missing=missing[0],
            present=", ".join(comments.columns),
        )
    if mistyped := [name for name in (*KEYS, "comment") if comments[name].dtype != pl.String]:
        raise InputError(
            "comments-not-text",
            "the column {column} of the comments has the type {type}; convert it to text",
            column=mistyped[0],
            type=str(comments[mistyped[0]].dtype),
        )
    non_empty = comments.filter(pl.col("comment").str.strip_chars() != "")
    lists = non_empty.group_by(KEYS, maintain_order=True).agg(comments=pl.col("comment"))
    joined = table.join(lists, on=KEYS, how="left", maintain_order="left")
    return joined.with_columns(pl.col("comments").fill_null(pl.lit([], dtype=pl.List(pl.String))))

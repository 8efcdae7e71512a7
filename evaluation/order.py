"""The order of ranked lists, told from columns of topics and scores; nothing is sorted that is in order.

`topic` is a number for each row's topic, in the order of the file's rows.
"""

import numpy as np
import numpy.typing as npt
import polars as pl

from evaluation.arrays import BoolArray, IntArray

Values = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def sort_by_score(table: pl.DataFrame, *above: str) -> pl.DataFrame:
    """Rows by the columns `above`, ascending, then as trec_eval ranks the columns `score, document_id`.

    That is scores compared as 32-bit floats, descending, then document ids, descending.
    """
    # Adding 0.0 makes −0.0 equal to 0.0 in sorting, as it is in comparing.
    by_score = -(pl.col("score").cast(pl.Float32) + 0.0)
    order = [*above, by_score, "document_id"]
    return table.sort(order, descending=[*[False] * len(above), False, True])


def ranks_by_score(topic: IntArray, table: pl.DataFrame) -> IntArray:
    """The rank of each row in its topic's list, from 1, as trec_eval ranks `score, document_id` (rows,).

    Run files mostly stand in the order of their scores, so that at most the rows that share one are sorted.
    """
    with np.errstate(over="ignore"):  # what is too large for 32 bits is infinite
        score = table["score"].to_numpy().astype(np.float32)
    if not _in_order(topic, score):
        return _ranks_sorted(topic, table)
    rank = _ranks_as_they_stand(topic)
    rows, level = _shared_levels(topic, score)
    if len(rows):
        shared = pl.DataFrame({"level": level, "document": table["document_id"].gather(rows)})
        best_first = shared.select(pl.arg_sort_by("level", "document", descending=[False, True]))
        rank[rows[best_first.to_series().to_numpy()]] = rank[rows]
    return rank


def ranks_as_given(topic: IntArray, table: pl.DataFrame) -> IntArray:
    """The rank of each row by the column `rank`, ascending, but from 1 and without gaps (rows,).

    Rows that share a rank are ordered by their scores.
    """
    place = -table["rank"].to_numpy()
    if _in_order(topic, place) and not len(_shared_levels(topic, place)[0]):
        return _ranks_as_they_stand(topic)
    return _ranks_sorted(topic, table, "rank")


def levels(topic: IntArray, raw: Values) -> tuple[IntArray, IntArray]:
    """Of each row, how many of its topic have a larger raw value, and how many the same, itself included.

    Values are compared as they stand in the file, in 64 bits: not as the list was ordered by them.
    """
    if _in_order(topic, raw):
        return _levels_in_order(topic, raw)
    order = np.lexsort((-raw, topic))
    above, tied = np.empty(len(topic), np.int64), np.empty(len(topic), np.int64)
    above[order], tied[order] = _levels_in_order(topic[order], raw[order])
    return above, tied


def _in_order(topic: IntArray, value: Values) -> bool:
    """Whether each topic's rows stand together and no value in them is above the one before it."""
    new = _first_of_topic(topic)
    if not (new[1:] | (value[1:] <= value[:-1])).all():
        return False
    starts = topic[new]
    return len(np.unique(starts)) == len(starts)


def _levels_in_order(topic: IntArray, raw: Values) -> tuple[IntArray, IntArray]:
    above, tied = _ranks_as_they_stand(topic) - 1, np.ones(len(topic), np.int64)
    rows, level = _shared_levels(topic, raw)
    if len(rows):
        size = np.bincount(level)
        above[rows] = above[rows[np.cumsum(size) - size]][level]
        tied[rows] = size[level]
    return above, tied


def _first_of_topic(topic: IntArray) -> BoolArray:
    new = np.ones(len(topic), dtype=np.bool_)
    np.not_equal(topic[1:], topic[:-1], out=new[1:])
    return new


def _shared_levels(topic: IntArray, value: Values) -> tuple[IntArray, IntArray]:
    """The rows whose value another row of their topic has, and the level of each, counted from 0.

    For rows in order, so that those of a level stand together.
    """
    same = (topic[1:] == topic[:-1]) & (value[1:] == value[:-1])
    as_above, as_below = np.insert(same, 0, False), np.append(same, False)
    rows = np.flatnonzero(as_above | as_below)
    return rows, np.cumsum(~as_above[rows]) - 1


def _ranks_as_they_stand(topic: IntArray) -> IntArray:
    """Ranks by the order of the rows, where each topic's rows stand together."""
    first = np.flatnonzero(_first_of_topic(topic))
    size = np.diff(np.append(first, len(topic)))
    return np.arange(1, len(topic) + 1) - np.repeat(first, size)


def _ranks_sorted(topic: IntArray, table: pl.DataFrame, *above: str) -> IntArray:
    numbered = table.with_columns(pl.Series("topic", topic)).with_row_index("row")
    order = sort_by_score(numbered, "topic", *above)["row"].to_numpy()
    rank = np.empty(len(topic), dtype=np.int64)
    rank[order] = _ranks_as_they_stand(topic[order])
    return rank

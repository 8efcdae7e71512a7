"""The order of ranked lists, told from columns of topics and scores; nothing is sorted that is in order."""

from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True, eq=False)
class TopicRows:
    """Rows in the order of their file, told by a number for the topic of each (rows,)."""

    topic: IntArray

    def ranks_by_score(self, table: pl.DataFrame) -> IntArray:
        """The rank of each row in its topic's list, from 1, as trec_eval ranks `score, document_id` (rows,).

        Run files mostly stand in the order of their scores, so that at most the rows that share one are
        sorted.
        """
        with np.errstate(over="ignore"):  # what is too large for 32 bits is infinite
            score = table["score"].to_numpy().astype(np.float32)
        if not self._in_order(score):
            return self._ranks_sorted(table)
        rows, level = self._shared_levels(score)
        if not len(rows):
            return self._ranks_as_they_stand
        rank = self._ranks_as_they_stand.copy()
        shared = pl.DataFrame({"level": level, "document": table["document_id"].gather(rows)})
        best_first = shared.select(pl.arg_sort_by("level", "document", descending=[False, True]))
        rank[rows[best_first.to_series().to_numpy()]] = rank[rows]
        return rank

    def ranks_as_given(self, table: pl.DataFrame) -> IntArray:
        """The rank of each row by the column `rank`, ascending, but from 1 and without gaps (rows,).

        Rows that share a rank are ordered by their scores.
        """
        place = -table["rank"].to_numpy()
        if self._in_order(place) and not len(self._shared_levels(place)[0]):
            return self._ranks_as_they_stand
        return self._ranks_sorted(table, "rank")

    def levels(self, raw: Values) -> tuple[IntArray, IntArray]:
        """Of each row, how many of its topic have a larger raw value, and how many the same, itself included.

        Values are compared as they stand in the file, in 64 bits: not as the list was ordered by them.
        """
        if self._in_order(raw):
            return self._levels_in_order(raw)
        order = np.lexsort((-raw, self.topic))
        above, tied = np.empty(len(raw), np.int64), np.empty(len(raw), np.int64)
        above[order], tied[order] = TopicRows(self.topic[order])._levels_in_order(raw[order])
        return above, tied

    def _in_order(self, value: Values) -> bool:
        """Whether each topic's rows stand together and no value in them is above the one before it."""
        return self._together and bool((self._new[1:] | (value[1:] <= value[:-1])).all())

    def _levels_in_order(self, raw: Values) -> tuple[IntArray, IntArray]:
        above, tied = self._ranks_as_they_stand - 1, np.ones(len(raw), np.int64)
        rows, level = self._shared_levels(raw)
        if len(rows):
            size = np.bincount(level)
            above[rows] = above[rows[np.cumsum(size) - size]][level]
            tied[rows] = size[level]
        return above, tied

    def _shared_levels(self, value: Values) -> tuple[IntArray, IntArray]:
        """The rows whose value another row of their topic has, and the level of each, counted from 0.

        For rows in order, so that those of a level stand together.
        """
        same = ~self._new[1:] & (value[1:] == value[:-1])
        if not same.any():
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        as_above, as_below = np.insert(same, 0, False), np.append(same, False)
        rows = np.flatnonzero(as_above | as_below)
        return rows, np.cumsum(~as_above[rows]) - 1

    def _ranks_sorted(self, table: pl.DataFrame, *above: str) -> IntArray:
        numbered = table.with_columns(pl.Series("topic", self.topic)).with_row_index("row")
        order = sort_by_score(numbered, "topic", *above)["row"].to_numpy()
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = TopicRows(self.topic[order])._ranks_as_they_stand
        return rank

    @cached_property
    def _new(self) -> BoolArray:
        """Whether a row's topic is another than that of the row before it."""
        new = np.ones(len(self.topic), dtype=np.bool_)
        np.not_equal(self.topic[1:], self.topic[:-1], out=new[1:])
        return new

    @cached_property
    def _together(self) -> bool:
        """Whether each topic's rows stand together."""
        starts = self.topic[self._new].tolist()
        return len(set(starts)) == len(starts)

    @cached_property
    def _ranks_as_they_stand(self) -> IntArray:
        """Ranks by the order of the rows, where each topic's rows stand together."""
        first = np.flatnonzero(self._new)
        size = np.diff(np.append(first, len(self.topic)))
        return np.arange(1, len(self.topic) + 1) - np.repeat(first, size)

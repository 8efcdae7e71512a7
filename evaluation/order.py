"""The order of ranked lists, from columns of topics and scores; rows that are in order are not sorted."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from evaluation.arrays import BoolArray, IntArray

Values = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def sort_by_score(table: pl.DataFrame, *above: str) -> pl.DataFrame:
    """Sort rows by the columns `above`, ascending, then by `score, document_id` as trec_eval does.

    That is by score as a 32-bit float, descending, then by document id, descending.
    """
    # Sorting puts −0.0 before 0.0, although they are equal; adding 0.0 makes both 0.0.
    by_score = -(pl.col("score").cast(pl.Float32) + 0.0)
    order = [*above, by_score, "document_id"]
    return table.sort(order, descending=[*[False] * len(above), False, True])


@dataclass(frozen=True, eq=False)
class TopicRows:
    """Rows in the order of their file, given by a number for the topic of each (rows,)."""

    topic: IntArray

    def ranks_by_score(self, table: pl.DataFrame) -> IntArray:
        """Return each row's rank in its topic's list, from 1, as trec_eval ranks them (rows,).

        The columns are `score, document_id`. Most run files are in the order of their scores, so only rows
        that share a score are sorted.
        """
        with np.errstate(over="ignore"):  # scores too large for 32 bits become infinite
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
        """Return each row's rank by the column `rank`, ascending, but from 1 and without gaps (rows,).

        Rows that share a rank are ordered by their scores.
        """
        place = -table["rank"].to_numpy()
        if self._in_order(place) and not len(self._shared_levels(place)[0]):
            return self._ranks_as_they_stand
        return self._ranks_sorted(table, "rank")

    def levels(self, raw: Values) -> tuple[IntArray, IntArray]:
        """Return, for each row, how many rows of its topic have a larger raw value, and how many the same.

        The row itself is included. Values are compared as in the file, in 64 bits; the list may be ordered by
        less precise ones.
        """
        if self._in_order(raw):
            return self._levels_in_order(raw)
        order = np.lexsort((-raw, self.topic))
        above, tied = np.empty(len(raw), np.int64), np.empty(len(raw), np.int64)
        above[order], tied[order] = TopicRows(self.topic[order])._levels_in_order(raw[order])
        return above, tied

    def _in_order(self, value: Values) -> bool:
        """Return whether each topic's rows are contiguous and their values never rise."""
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
        """Return the rows whose value another row of their topic has, and the level of each, from 0.

        The rows must be in order, so that those of a level are contiguous.
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
        """Whether a row's topic differs from that of the row before it."""
        new = np.ones(len(self.topic), dtype=np.bool_)
        np.not_equal(self.topic[1:], self.topic[:-1], out=new[1:])
        return new

    @cached_property
    def _together(self) -> bool:
        """Whether each topic's rows are contiguous."""
        starts = self.topic[self._new].tolist()
        return len(set(starts)) == len(starts)

    @cached_property
    def _ranks_as_they_stand(self) -> IntArray:
        """Ranks by the order of the rows, if each topic's rows are contiguous."""
        first = np.flatnonzero(self._new)
        size = np.diff(np.append(first, len(self.topic)))
        return np.arange(1, len(self.topic) + 1) - np.repeat(first, size)

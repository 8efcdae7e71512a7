"""Sort ranked lists, given as columns of topics and scores. Rows already in order are not sorted again."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from .arrays import BoolArray, FloatArray, IntArray
from .showing import short_repr

Values = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def sort_by_score(table: pl.DataFrame, *keys: str, in_32_bits: bool = False) -> pl.DataFrame:
    """Sort rows by the columns `keys`, ascending, and then by score as trec_eval does.

    trec_eval compares scores as floats, descending, and breaks ties by document id, descending. The floats
    have 64 bits, as in trec_eval 10, or 32 bits, as in earlier versions.
    """
    # Sorting puts −0.0 before 0.0, although they are equal. Adding 0.0 turns −0.0 into 0.0.
    by_score = -(pl.col("score").cast(pl.Float32 if in_32_bits else pl.Float64) + 0.0)
    order = [*keys, by_score, "document_id"]
    return table.sort(order, descending=[*[False] * len(keys), False, True])


@short_repr
@dataclass(frozen=True, eq=False)
class TopicRows:
    """The rows of a file, in the order of the file. `topic` has the index of each row's topic (rows,)."""

    topic: IntArray

    def ranks_by_score(self, table: pl.DataFrame, in_32_bits: bool = False) -> IntArray:
        """Return each row's rank among the rows of its topic, in the order of `sort_by_score` (rows,).

        Ranks are counted from 1. The table has the columns `score` and `document_id`. Most run files are
        already sorted by score. In these files, only rows with equal scores need to be sorted.
        """
        raw = table["score"].to_numpy()
        score = _in_32_bits(raw) if in_32_bits else raw
        if not self._in_order(score):
            return self._ranks_sorted(table, in_32_bits=in_32_bits)
        rows, level = self._shared_levels(score)
        if not len(rows):
            return self._ranks_by_row
        rank = self._ranks_by_row.copy()
        shared = pl.DataFrame({"level": level, "document": table["document_id"].gather(rows)})
        best_first = shared.select(pl.arg_sort_by("level", "document", descending=[False, True]))
        rank[rows[best_first.to_series().to_numpy()]] = rank[rows]
        return rank

    def ranks_as_given(self, table: pl.DataFrame) -> IntArray:
        """Return each row's rank among the rows of its topic, in the order of the column `rank` (rows,).

        The returned ranks are counted from 1. Rows with the same value in the column are sorted by their
        scores.
        """
        place = -table["rank"].to_numpy()
        if self._in_order(place) and not len(self._shared_levels(place)[0]):
            return self._ranks_by_row
        return self._ranks_sorted(table, "rank")

    def levels(self, raw: Values) -> tuple[IntArray, IntArray]:
        """Return, for each row, how many rows of its topic have a larger value, and how many have the same.

        The second number includes the row itself. `raw` has the values in the file as 64-bit floats, although
        the ranks can come from 32-bit scores.
        """
        if self._in_order(raw):
            return self._levels_in_order(raw)
        order = np.lexsort((-raw, self.topic))
        above, tied = np.empty(len(raw), np.int64), np.empty(len(raw), np.int64)
        above[order], tied[order] = TopicRows(self.topic[order])._levels_in_order(raw[order])
        return above, tied

    def topics_tied_in_32_bits(self, raw: FloatArray) -> IntArray:
        """Return the topics in which different scores are the same 32-bit float.

        `raw` has the scores in 64 bits (rows,).
        """
        order = slice(None) if self._in_order(raw) else np.lexsort((-raw, self.topic))
        topic, score, narrow = (values[order] for values in (self.topic, raw, _in_32_bits(raw)))
        tied = (topic[1:] == topic[:-1]) & (narrow[1:] == narrow[:-1]) & (score[1:] != score[:-1])
        return np.unique(topic[1:][tied])

    def _in_order(self, value: Values) -> bool:
        """Return whether each topic's rows are contiguous and their values never increase."""
        return self._together and bool((self._new[1:] | (value[1:] <= value[:-1])).all())

    def _levels_in_order(self, raw: Values) -> tuple[IntArray, IntArray]:
        above, tied = self._ranks_by_row - 1, np.ones(len(raw), np.int64)
        rows, level = self._shared_levels(raw)
        if len(rows):
            size = np.bincount(level)
            above[rows] = above[rows[np.cumsum(size) - size]][level]
            tied[rows] = size[level]
        return above, tied

    def _shared_levels(self, value: Values) -> tuple[IntArray, IntArray]:
        """Return the rows that share a value with another row of their topic, and the levels of these rows.

        A level consists of the rows of a topic that share one value. Levels are numbered from 0. The rows
        must be sorted, so that the rows of a level are contiguous.
        """
        same = ~self._new[1:] & (value[1:] == value[:-1])
        if not same.any():
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        as_above, as_below = np.insert(same, 0, False), np.append(same, False)
        rows = np.flatnonzero(as_above | as_below)
        return rows, np.cumsum(~as_above[rows]) - 1

    def _ranks_sorted(self, table: pl.DataFrame, *keys: str, in_32_bits: bool = False) -> IntArray:
        numbered = table.with_columns(pl.Series("topic", self.topic)).with_row_index("row")
        order = sort_by_score(numbered, "topic", *keys, in_32_bits=in_32_bits)["row"].to_numpy()
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = TopicRows(self.topic[order])._ranks_by_row
        return rank

    @cached_property
    def _new(self) -> BoolArray:
        """For each row, whether its topic differs from the topic of the previous row (rows,)."""
        new = np.ones(len(self.topic), dtype=np.bool_)
        np.not_equal(self.topic[1:], self.topic[:-1], out=new[1:])
        return new

    @cached_property
    def _together(self) -> bool:
        """Whether each topic's rows are contiguous."""
        starts = self.topic[self._new].tolist()
        return len(set(starts)) == len(starts)

    @cached_property
    def _ranks_by_row(self) -> IntArray:
        """Each row's position among the rows of its topic, counted from 1.

        Each topic's rows must be contiguous.
        """
        first = np.flatnonzero(self._new)
        size = np.diff(np.append(first, len(self.topic)))
        return np.arange(1, len(self.topic) + 1) - np.repeat(first, size)


def _in_32_bits(scores: FloatArray) -> npt.NDArray[np.float32]:
    """Return the scores as 32-bit floats. Scores that do not fit into 32 bits become infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)

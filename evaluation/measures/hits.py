"""The retrieved documents that affect a measure: their ranks, their gains, and whether they are relevant."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..showing import short_repr

Value = TypeVar("Value", np.float64, np.int64, np.bool_)


@short_repr
@dataclass(frozen=True, eq=False)
class Spots:
    """The places of retrieved documents, list by list, with the best rank first.

    `cell` is the index of each document's list, in ascending order: run · (number of topics) + topic. `rank`
    is the document's rank in the list, counted from 1 and ascending in each list. `document` is the
    document's index among the judged documents. `shape` is (runs, topics). Results that do not depend on
    gains are cached here, so that lists with other gains can share them.
    """

    shape: tuple[int, int]
    cell: IntArray
    rank: IntArray
    document: IntArray
    _cache: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def number(self) -> IntArray:
        """The number of documents in each list (lists,)."""
        return np.bincount(self.cell, minlength=self.shape[0] * self.shape[1]).astype(np.int64)

    @cached_property
    def place(self) -> IntArray:
        """The place of each document among the stored documents of its list, counted from 1."""
        return 1 + places_in(self.cell)

    @cached_property
    def share(self) -> FloatArray:
        """The share of stored documents among the documents of the list down to each document."""
        return self.place / self.rank

    @cached_property
    def total_share(self) -> FloatArray:
        """The sum of `share` over each list, added in the order of ranks (lists,)."""
        return np.bincount(self.cell, self.share, self.shape[0] * self.shape[1]).astype(np.float64)

    @cached_property
    def deepest(self) -> int:
        """The last rank of any document, or 1 if there are no documents."""
        return int(self.rank.max(initial=1))

    def by_rank(self, key: Hashable, curve: Callable[[int], FloatArray]) -> FloatArray:
        """Return the value of `curve(deepest)` at each document's rank.

        The result is cached under `key`, so each curve needs its own key.
        """
        if key not in self._cache:
            self._cache[key] = curve(self.deepest)[self.rank - 1]
        values: FloatArray = self._cache[key]
        return values

    def within(self, cutoff: int) -> tuple[IntArray, "Spots"]:
        """Return the indexes of the documents at the ranks 1 … cutoff, and the spots of these documents."""
        key = ("within", cutoff)
        if key not in self._cache:
            places = np.flatnonzero(self.rank <= cutoff)
            self._cache[key] = places, self.where(places)
        spots: tuple[IntArray, Spots] = self._cache[key]
        return spots

    def where(self, places: IntArray) -> "Spots":
        """Return the spots of the documents at these indexes, which must be in ascending order."""
        return Spots(self.shape, self.cell[places], self.rank[places], self.document[places])


@short_repr
@dataclass(frozen=True, eq=False)
class Hits:
    """Retrieved documents that have a gain or are relevant.

    `gain` has the gain of each document, and `relevant` says whether the document is relevant. A relevant
    document can have a gain of 0.
    """

    spots: Spots
    gain: FloatArray
    relevant: BoolArray

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of runs and topics."""
        return self.spots.shape

    @property
    def cell(self) -> IntArray:
        """The list of each hit: run · (number of topics) + topic."""
        return self.spots.cell

    @property
    def rank(self) -> IntArray:
        """The rank of each hit in its list, counted from 1."""
        return self.spots.rank

    @property
    def place(self) -> IntArray:
        """The place of each hit among the hits of its list, counted from 1."""
        return self.spots.place

    @property
    def share(self) -> FloatArray:
        """The share of hits among the documents of the list down to each hit.

        If all hits are relevant, this is precision.
        """
        return self.spots.share

    def total_share(self) -> FloatArray:
        """Return the sum of `share` over each list (runs, topics)."""
        return self.spots.total_share.reshape(self.shape)

    @property
    def run(self) -> IntArray:
        """The index of each hit's run."""
        return self.cell // self.shape[1]

    @property
    def topic(self) -> IntArray:
        """The index of each hit's topic."""
        return self.cell % self.shape[1]

    def within(self, cutoff: int | None) -> "Hits":
        """Return the hits at the ranks 1 … cutoff, or all hits without a cut-off."""
        if cutoff is None or cutoff >= self.spots.deepest:
            return self
        places, spots = self.spots.within(cutoff)
        return Hits(spots, self.gain[places], self.relevant[places])

    def only_relevant(self) -> "Hits":
        """Return the hits that are relevant."""
        if self.relevant.all():
            return self
        places = np.flatnonzero(self.relevant)
        return Hits(self.spots.where(places), self.gain[places], self.relevant[places])

    def total(self, values: FloatArray) -> FloatArray:
        """Return the sum of `values` over each list (runs, topics).

        `values` has one value for each hit. Values are added in the order of ranks.
        """
        sums: FloatArray = np.bincount(self.cell, values, self.shape[0] * self.shape[1]).astype(np.float64)
        return sums.reshape(self.shape)

    def count(self) -> IntArray:
        """Return the number of hits in each list (runs, topics)."""
        return self.spots.number.reshape(self.shape)

    def running(self, values: FloatArray) -> FloatArray:
        """Return, for each hit, the sum of `values` over this hit and the hits above it in its list."""
        return self.taken_from(np.cumsum(self.padded(values), axis=-1))

    def taken_from(self, padded: FloatArray) -> FloatArray:
        """Return the value of each hit in an array like the result of `padded` (runs, topics, places)."""
        values: FloatArray = padded[self.run, self.topic, self.place - 1]
        return values

    def padded(self, values: np.ndarray[Any, np.dtype[Value]]) -> np.ndarray[Any, np.dtype[Value]]:
        """Return `values`, arranged by list and place (runs, topics, places).

        `values` has one value for each hit. The number of places is the largest number of hits in a list.
        Shorter lists end with zeros.
        """
        return self._spread(values, self.place, int(self.spots.number.max(initial=0)))

    def along_ranks(
        self, values: np.ndarray[Any, np.dtype[Value]], width: int
    ) -> np.ndarray[Any, np.dtype[Value]]:
        """Return `values`, arranged by list and rank (runs, topics, width).

        `values` has one value for each hit. The result is 0 at ranks without a hit.
        """
        if width >= self.spots.deepest:
            return self._spread(values, self.rank, width)
        places, _ = self.spots.within(width)
        return self.within(width)._spread(values[places], self.rank[places], width)

    def _spread(
        self, values: np.ndarray[Any, np.dtype[Value]], column: IntArray, width: int
    ) -> np.ndarray[Any, np.dtype[Value]]:
        matrix = np.zeros((self.shape[0] * self.shape[1], width), dtype=values.dtype)
        matrix[self.cell, column - 1] = values
        return matrix.reshape(*self.shape, width)


def places_in(group: IntArray) -> IntArray:
    """Return, for each row, how many rows of its group are above it. Each group must be contiguous."""
    first = np.flatnonzero(np.diff(group, prepend=-1))
    return np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))

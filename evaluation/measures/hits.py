"""The retrieved documents that count: where they stand, and what they are worth there."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray

Value = TypeVar("Value", np.float64, np.int64, np.bool_)


@dataclass(frozen=True, eq=False)
class Spots:
    """Where retrieved documents stand, list after list, the best rank first.

    `cell` is the list that each stands in (run · topics + topic), ascending; `rank` its rank there, from 1,
    ascending inside a list; `document` its place among the judged documents. `shape` is (runs, topics). What
    follows from this alone is worked out once and stays when the gains change.
    """

    shape: tuple[int, int]
    cell: IntArray
    rank: IntArray
    document: IntArray
    _known: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def number(self) -> IntArray:
        """How many each list has (lists,)."""
        return np.bincount(self.cell, minlength=self.shape[0] * self.shape[1]).astype(np.int64)

    @cached_property
    def place(self) -> IntArray:
        """Of each, how many its list has down to its rank, itself included."""
        return 1 + places_in(self.cell)

    @cached_property
    def deepest(self) -> int:
        """The last rank at which one stands; 1 where there are none."""
        return int(self.rank.max(initial=1))

    def by_rank(self, key: Hashable, curve: Callable[[int], FloatArray]) -> FloatArray:
        """Of each, what `curve(deepest)` has at its rank; the same key is the same curve."""
        if key not in self._known:
            self._known[key] = curve(self.deepest)[self.rank - 1]
        values: FloatArray = self._known[key]
        return values

    def within(self, cutoff: int) -> tuple[IntArray, "Spots"]:
        """Which stand at the ranks 1 … cutoff, and these alone."""
        key = ("within", cutoff)
        if key not in self._known:
            kept = np.flatnonzero(self.rank <= cutoff)
            self._known[key] = kept, self.where(kept)
        found: tuple[IntArray, Spots] = self._known[key]
        return found

    def where(self, kept: IntArray) -> "Spots":
        """Those at the places `kept`, ascending."""
        return Spots(self.shape, self.cell[kept], self.rank[kept], self.document[kept])


@dataclass(frozen=True, eq=False)
class Hits:
    """Retrieved documents that are worth something or relevant: `gain` and `relevant`, one a spot."""

    spots: Spots
    gain: FloatArray
    relevant: BoolArray

    @property
    def shape(self) -> tuple[int, int]:
        """(runs, topics)."""
        return self.spots.shape

    @property
    def cell(self) -> IntArray:
        """The list of each hit, run · topics + topic."""
        return self.spots.cell

    @property
    def rank(self) -> IntArray:
        """The rank of each hit in its list, from 1."""
        return self.spots.rank

    @property
    def place(self) -> IntArray:
        """Of each hit, how many its list has down to its rank, itself included."""
        return self.spots.place

    @property
    def run(self) -> IntArray:
        """The run of each hit, as a place among the runs."""
        return self.cell // self.shape[1]

    @property
    def topic(self) -> IntArray:
        """The topic of each hit, as a place among the topics."""
        return self.cell % self.shape[1]

    def within(self, cutoff: int | None) -> "Hits":
        """Those at the ranks 1 … cutoff; all of them without one."""
        if cutoff is None or cutoff >= self.spots.deepest:
            return self
        kept, spots = self.spots.within(cutoff)
        return Hits(spots, self.gain[kept], self.relevant[kept])

    def only_relevant(self) -> "Hits":
        """Those that are relevant."""
        if self.relevant.all():
            return self
        kept = np.flatnonzero(self.relevant)
        return Hits(self.spots.where(kept), self.gain[kept], self.relevant[kept])

    def total(self, values: FloatArray) -> FloatArray:
        """The sum of `values`, one a hit, over each list (runs, topics); added up in the order of ranks."""
        sums: FloatArray = np.bincount(self.cell, values, self.shape[0] * self.shape[1]).astype(np.float64)
        return sums.reshape(self.shape)

    def count(self) -> IntArray:
        """How many hits each list has (runs, topics)."""
        return self.spots.number.reshape(self.shape)

    def running(self, values: FloatArray) -> FloatArray:
        """Of each hit, the sum of `values`, one a hit, over its list down to its rank."""
        sums: FloatArray = np.cumsum(self.padded(values), axis=-1)
        return sums[self.run, self.topic, self.place - 1]

    def padded(self, values: np.ndarray[Any, np.dtype[Value]]) -> np.ndarray[Any, np.dtype[Value]]:
        """`values`, one a hit, side by side in their lists (runs, topics, most hits); zeros at the end."""
        return self._spread(values, self.place, int(self.spots.number.max(initial=0)))

    def along_ranks(
        self, values: np.ndarray[Any, np.dtype[Value]], width: int
    ) -> np.ndarray[Any, np.dtype[Value]]:
        """`values`, one a hit, at their ranks (runs, topics, width); zeros at the others."""
        if width >= self.spots.deepest:
            return self._spread(values, self.rank, width)
        kept, _ = self.spots.within(width)
        return self.within(width)._spread(values[kept], self.rank[kept], width)

    def _spread(
        self, values: np.ndarray[Any, np.dtype[Value]], column: IntArray, width: int
    ) -> np.ndarray[Any, np.dtype[Value]]:
        matrix = np.zeros((self.shape[0] * self.shape[1], width), dtype=values.dtype)
        matrix[self.cell, column - 1] = values
        return matrix.reshape(*self.shape, width)


def places_in(group: IntArray) -> IntArray:
    """Of each row, how many rows of its group stand above it; rows of a group stand together."""
    first = np.flatnonzero(np.diff(group, prepend=-1))
    return np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))

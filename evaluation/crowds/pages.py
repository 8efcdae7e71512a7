"""The pages of simulated units: what each page shows, and when its answers pass the check of the anchors."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from .workers import inverted

BoolArray = npt.NDArray[np.bool_]


class Pages(Protocol):
    """The pages of units. Arrays are (units, documents), and their first two columns are the anchors H and N.

    `position` is the position of each document, from 0. `second` is the column of the document that a page
    shows second, or None if pages show one document.
    """

    position: IntArray
    second: IntArray | None

    def is_ordered(self, units: IntArray, numbers: FloatArray) -> BoolArray:
        """Return whether the numbers of some units say that H is more relevant than N."""

    def turned(self, numbers: FloatArray) -> FloatArray:
        """Return the numbers that a worker gives who turns their order around."""


class SingleDocuments:
    """Pages with one document each, in random order."""

    second: IntArray | None = None

    def __init__(self, documents: IntArray, rng: np.random.Generator) -> None:
        units, size = documents.shape
        self.position: IntArray = rng.permuted(np.tile(np.arange(size), (units, 1)), axis=1)

    def is_ordered(self, units: IntArray, numbers: FloatArray) -> BoolArray:
        """Return whether H has a larger number than N."""
        ordered: BoolArray = numbers[:, 0] > numbers[:, 1]
        return ordered

    def turned(self, numbers: FloatArray) -> FloatArray:
        """Return the numbers, swapped by rank."""
        return inverted(numbers)


class Ring:
    """Pages that compare each document with the next one in a ring. The anchors are neighbours."""

    def __init__(self, documents: IntArray, rng: np.random.Generator) -> None:
        units, size = documents.shape
        place = rng.random((units, size))
        place[:, 1] = place[:, 0] + rng.choice([-1e-12, 1e-12], size=units)
        rank = np.argsort(np.argsort(place, axis=1), axis=1)
        self.position: IntArray = (rank + rng.integers(size, size=(units, 1))) % size
        self.second: IntArray | None = self._next(documents >= 0)
        self._is_high_first = self.second[:, 0] == 1

    def _next(self, present: BoolArray) -> IntArray:
        """Return the column of the document after each one. Empty places are skipped."""
        size = present.shape[1]
        column = np.argsort(self.position, axis=1)
        following = np.full(present.shape, -1)
        for step in range(1, size):
            candidate = np.take_along_axis(column, (self.position + step) % size, axis=1)
            is_next = (following < 0) & np.take_along_axis(present, candidate, axis=1)
            following[is_next] = candidate[is_next]
        return following

    def is_ordered(self, units: IntArray, numbers: FloatArray) -> BoolArray:
        """Return whether H is preferred on the page with both anchors."""
        ordered: BoolArray = np.where(self._is_high_first[units], numbers[:, 0] == 1, numbers[:, 1] == 0)
        return ordered

    def turned(self, numbers: FloatArray) -> FloatArray:
        """Return the points, with each preference turned around."""
        return 1 - numbers

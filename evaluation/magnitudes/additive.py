"""Estimate the offset of each unit from the documents that it shares with other units."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from ..arrays import FloatArray, IntArray
from ..showing import short_repr


def offsets(logs: FloatArray, unit: IntArray, document: IntArray) -> FloatArray:
    """Return the offset of each unit of one topic.

    The model of a magnitude s is ln s = level of the document + offset of the unit + noise. It is the
    additive two-way model, fitted by least squares [Searle, Linear Models, 1971, chapter 7]. `logs`, `unit`
    and `document` have one value for each judgment: ln s, the number of its unit, and the number of its
    document. Units and documents are numbered from 0, without gaps.

    Two units are linked if they share documents, or if a chain of linked units connects them. Only the
    differences between the offsets of linked units can be estimated. So in each group of linked units, the
    mean offset over the judgments is set to 0.

    Example: one unit has the logs 1 and 3 for the documents a and b. Another unit has 4 and 5 for b and c.
    Both have b, so the second unit's offset is larger by 4 − 3 = 1. The offsets are −.5 and .5.
    """
    return TwoWay(logs, unit, document).offsets(np.ones(int(unit.max()) + 1))


@short_repr
@dataclass(frozen=True, eq=False)
class TwoWay:
    """The model that the function `offsets` fits to the judgments of one topic. Units can have weights."""

    logs: FloatArray
    unit: IntArray
    document: IntArray

    @cached_property
    def _counts(self) -> FloatArray:
        """The number of judgments of each document in each unit (units, documents).

        It is not sparse: resampling solves small models very often, and a sparse matrix costs more than it
        saves.
        """
        counts = np.zeros((int(self.unit.max()) + 1, int(self.document.max()) + 1))
        np.add.at(counts, (self.unit, self.document), 1.0)
        return counts

    @cached_property
    def _parts(self) -> tuple[int, IntArray]:
        """The number of groups of linked units, and the group of each unit."""
        counts = scipy.sparse.csr_array(self._counts)
        linked, part = scipy.sparse.csgraph.connected_components(counts @ counts.T, directed=False)
        return linked, part.astype(np.int64)

    def offsets(self, weights: FloatArray) -> FloatArray:
        """Return the offset of each unit, by weighted least squares.

        `weights` has a positive weight for each unit. A unit with a weight of 2 counts twice.
        """
        of_row = weights[self.unit]
        counts = self._counts * weights[:, None]
        of_unit: FloatArray = counts.sum(axis=1)
        of_document: FloatArray = counts.sum(axis=0)
        # The normal equations of the units, after the documents have been eliminated.
        system = np.diag(of_unit) - (counts / of_document) @ counts.T
        document_means = np.bincount(self.document, of_row * self.logs) / of_document
        right = np.bincount(self.unit, of_row * (self.logs - document_means[self.document]))
        # In each group of linked units, the sum over judgments of the offsets is 0.
        linked, part = self._parts
        for group in range(linked):
            sizes = np.where(part == group, of_unit, 0.0)
            system += np.outer(sizes, sizes) / sizes.sum()
        return np.asarray(scipy.linalg.solve(system, right, assume_a="pos"), dtype=np.float64)

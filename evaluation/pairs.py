"""Pairs of a topic and a document, compared by their hashes because comparing text is much slower.

Equal pairs have equal hashes, and unequal pairs nearly always have different hashes. So the ids themselves
are compared only where hashes are equal.
"""

import numpy as np
import numpy.typing as npt
import polars as pl

from .arrays import IntArray
from .origin import first

PAIR = ("topic_id", "document_id")
HashArray = npt.NDArray[np.uint64]

SLOTS_PER_HASH = 8
"""The number of slots per hash, large enough that few hashes share a slot."""


def hashes(table: pl.DataFrame) -> HashArray:
    """Return a hash of each row's topic and document. The hashes of another process can differ from these."""
    hashed: HashArray = table.select(PAIR).hash_rows().to_numpy()
    return hashed


def first_repetition(table: pl.DataFrame, hashed: HashArray | None = None) -> int | None:
    """Return the index of the first row whose topic and document also occur in an earlier row, or None.

    `hashed` is the result of `hashes` for the table, if the caller already has it.
    """
    ordered = np.sort(hashes(table) if hashed is None else hashed)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    return first(~table.select(pl.struct(PAIR).is_first_distinct()).to_series().to_numpy())


class HashTable:
    """The hashes of one table, arranged in slots so that the hashes of other tables can be looked up.

    The lowest bits of a hash select its slot. `_last` holds, for each slot, the last row whose hash is in the
    slot. `_before` holds, for each row, the previous row whose hash is in the same slot. In both arrays, −1
    means that there is no such row. `_shares_slot` says for each row whether there is a previous row.
    """

    def __init__(self, hashes: HashArray) -> None:
        self._hashes = hashes
        self._mask = np.uint64((1 << (SLOTS_PER_HASH * len(hashes)).bit_length()) - 1)
        slots = self._slots(hashes)
        order = np.argsort(slots, kind="stable")
        is_repeated = slots[order[1:]] == slots[order[:-1]]
        self._before = np.full(len(hashes), -1, dtype=np.int32)
        self._before[order[1:][is_repeated]] = order[:-1][is_repeated]
        self._shares_slot = self._before >= 0
        self._last = np.full(int(self._mask) + 1, -1, dtype=np.int32)
        self._last[slots] = np.arange(len(hashes))

    def find_equal(self, others: HashArray) -> tuple[IntArray, IntArray]:
        """Return every pair of a row of `others` and a row of this table that have equal hashes.

        The pairs are returned as two arrays of row indexes, sorted by the row of `others`.
        """
        place = self._last[self._slots(others)]
        row = np.flatnonzero(place >= 0)
        place = place[row]
        matches = []
        while len(row):
            equal = np.flatnonzero(self._hashes[place] == others[row])
            matches.append((row[equal], place[equal]))
            shared = np.flatnonzero(self._shares_slot[place])
            row, place = row[shared], self._before[place[shared]]
        rows, places = (
            (np.concatenate(columns) for columns in zip(*matches, strict=True)) if matches else (row, place)
        )
        order = np.argsort(rows, kind="stable")
        return rows[order], places[order].astype(np.int64)

    def _slots(self, hashes: HashArray) -> IntArray:
        return (hashes & self._mask).view(np.int64)

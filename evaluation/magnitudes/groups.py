"""Means, deviations and middle values of groups of rows. They do not depend on the order of the rows.

Sums of floats depend on the order of the terms, and sorting five million terms takes longer than all other
steps together. So logs are summed as whole numbers: each log is split into a multiple of 2^-20 and a
remainder in multiples of 2^-50. Sums of whole numbers in floats are exact below 2^53, in any order.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ..arrays import FloatArray, IntArray
from ..showing import short_repr

COARSE, FINE = 2.0**20, 2.0**30
IN_CACHE = 2**16  # rows in a batch, so few that intermediate results stay in the cache
AT_MOST = 2**22  # rows in a batch: coarse numbers are at most 2^30, so their sums stay below 2^53


@short_repr
@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of the rows of a table.

    `member[i]` is the index of row i's group. `row[j]` is the index of the first row of group j, and
    `sizes[j]` is the number of rows in group j. The order of the groups has no meaning.
    """

    member: IntArray
    row: IntArray
    sizes: IntArray

    @classmethod
    def by(cls, table: pl.DataFrame, keys: list[str]) -> "Groups":
        """Group the rows of `table` that agree in the columns `keys`, which hold text."""
        member, row = _numbered(table.select(keys))
        return cls(member, row, np.bincount(member, minlength=len(row)).astype(np.int64))

    def joined(self, larger: "Groups") -> "Groups":
        """Combine the groups into larger groups of the same rows, and return the larger groups.

        `larger` says which groups to combine: `larger.member[j]` is the index of the larger group that
        contains group j.
        """
        sizes = np.bincount(larger.member, self.sizes, minlength=len(larger.sizes)).astype(np.int64)
        row = np.full(len(sizes), len(self.member), dtype=np.int64)
        np.minimum.at(row, larger.member, self.row)
        return Groups(larger.member[self.member], row, sizes)

    def sums(self, values: FloatArray) -> "Sums":
        """Return the exact sum of each group's values, which are first rounded to multiples of 2^-50.

        The values must be within ±1024.
        """
        coarse = np.zeros(len(self.sizes), dtype=np.int64)
        fine = np.zeros(len(self.sizes), dtype=np.int64)
        rows = int(np.clip(4 * len(self.sizes), IN_CACHE, AT_MOST))
        for start in range(0, len(values), rows):
            member, scaled = self.member[start : start + rows], values[start : start + rows] * COARSE
            whole = np.rint(scaled)
            coarse += np.bincount(member, whole, minlength=len(coarse)).astype(np.int64)
            whole = np.rint((scaled - whole) * FINE)
            fine += np.bincount(member, whole, minlength=len(fine)).astype(np.int64)
        return Sums(coarse, fine, self.sizes)

    def deviations(self, values: FloatArray) -> FloatArray:
        """Return the population standard deviation of each group, exactly 0 for a group of equal values."""
        low, high = np.full(len(self.sizes), np.inf), np.full(len(self.sizes), -np.inf)
        np.minimum.at(low, self.member, values)
        np.maximum.at(high, self.member, values)
        # Squares of small deviations would lose digits, so deviations are scaled by their group's range.
        reach = np.where(high > low, high - low, 1.0)
        away = (values - self.sums(values).means()[self.member]) / reach[self.member]
        return np.where(high > low, reach * np.sqrt(self.sums(away**2).means()), 0.0)

    def sorted(self, values: FloatArray) -> "Sorted":
        """Return the values group by group, in ascending order within each group."""
        order = np.lexsort((values, self.member))
        return Sorted(values[order], np.cumsum(self.sizes) - self.sizes, self.sizes)


@short_repr
@dataclass(frozen=True, eq=False)
class Sums:
    """The exact sum of each group, which is `coarse`·2^-20 + `fine`·2^-50.

    `sizes` has the number of rows in each group.
    """

    coarse: IntArray
    fine: IntArray
    sizes: IntArray

    def joined(self, larger: Groups) -> "Sums":
        """Return the sums of larger groups, exactly as if the values of their rows had been added up.

        `larger` says which groups to join, as in `Groups.joined`.
        """
        totals = np.zeros((3, len(larger.sizes)), dtype=np.int64)
        for total, part in zip(totals, (self.coarse, self.fine, self.sizes), strict=True):
            np.add.at(total, larger.member, part)
        return Sums(*totals)

    def means(self) -> FloatArray:
        """Return the arithmetic mean of each group."""
        means: FloatArray = (self.coarse + self.fine / FINE) / COARSE / self.sizes
        return means


@short_repr
@dataclass(frozen=True, eq=False)
class Sorted:
    """Values by group, ascending in each group: group j is `values[starts[j]:starts[j] + sizes[j]]`."""

    values: FloatArray
    starts: IntArray
    sizes: IntArray

    def middle(self) -> tuple[FloatArray, FloatArray]:
        """Return the two middle values of each group. If a group's size is odd, the two are the same."""
        return self.values[self.starts + (self.sizes - 1) // 2], self.values[self.starts + self.sizes // 2]


def _numbered(table: pl.DataFrame) -> tuple[IntArray, IntArray]:
    """Return the index of each row's combination of texts, and the first row of each combination."""
    # The column with the most distinct texts in a sample comes first. The others may then add no groups.
    sample = table.gather_every(1 + len(table) // 1000)
    first, *others = sorted(table.columns, key=lambda key: -sample[key].n_unique())
    member = _categories(table[first])
    row = _first_rows(member)
    # Often the other columns add no groups: for example, topic and worker add none if unit ids are unique.
    by_group = [pl.col(key).gather(row).gather(pl.lit(pl.Series(member))) for key in others]
    adds_groups = table.select(
        (of_group != pl.col(key)).any() for key, of_group in zip(others, by_group, strict=True)
    )
    for key in others:
        if adds_groups[key].item():
            numbers = _categories(table[key])
            bound = int(numbers.max()) + 1
            member = _without_gaps(member * bound + numbers, len(row) * bound)
            row = _first_rows(member)
    return member, row


def _categories(texts: pl.Series) -> IntArray:
    """Return a number 0, 1, … for each text in a column. Equal texts have equal numbers."""
    # Each column gets its own categories, without texts of other columns. They are freed with the column.
    own = pl.Categorical(pl.Categories.random())
    return texts.cast(own).to_physical().to_numpy().astype(np.int64)


def _first_rows(member: IntArray) -> IntArray:
    row = np.empty(int(member.max(initial=-1)) + 1, dtype=np.int64)
    for start in reversed(range(0, len(member), IN_CACHE)):
        part = member[start : start + IN_CACHE]
        # For equal numbers, the last assignment wins.
        row[part[::-1]] = np.arange(start + len(part) - 1, start - 1, -1)
    return row


def _without_gaps(numbers: IntArray, bound: int) -> IntArray:
    """Return `numbers`, which are all below `bound`, renumbered from 0 without gaps."""
    if bound > 4 * len(numbers):
        # The range is too large for a table, so each number is replaced by the first row that has it.
        table = pl.DataFrame({"number": numbers}).with_row_index("row")
        numbers = table.select(pl.col("row").first().over("number")).to_series().to_numpy().astype(np.int64)
        bound = len(numbers)
    is_used = np.zeros(bound, dtype=np.int64)
    is_used[numbers] = 1
    return (np.cumsum(is_used) - 1)[numbers]

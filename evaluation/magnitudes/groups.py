"""Groups of rows: their means, spreads and middles, the same bits whatever the order of the rows.

Floats do not add up to the same bits in every order, and sorting five million of them before adding takes
longer than all the rest. So a sum of logs is taken over whole numbers: a log is cut into multiples of 2^-20
and what remains into multiples of 2^-50, and whole numbers below 2^53 add up exactly as floats, in any order.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray

COARSE, FINE = 2.0**20, 2.0**30
IN_CACHE = 2**16  # rows at a time, so that what is made of them need not leave the cache
AT_MOST = 2**22  # coarse numbers at a time: each up to 2^30, their sums stay below 2^53


@dataclass(frozen=True, eq=False)
class Groups:
    """Which rows of a table belong together.

    `member[i]` is the group of row i, from 0; `row[j]` is the first row of group j and `sizes[j]` how many
    rows it has. The order of the groups means nothing.
    """

    member: IntArray
    row: IntArray
    sizes: IntArray

    @classmethod
    def by(cls, table: pl.DataFrame, keys: list[str]) -> "Groups":
        """The rows of `table` that agree in the columns `keys`, which hold text."""
        member, row = _numbered(table.select(keys))
        return cls(member, row, np.bincount(member, minlength=len(row)).astype(np.int64))

    def joined(self, larger: "Groups") -> "Groups":
        """The rows of this table by groups of its groups."""
        sizes = np.bincount(larger.member, self.sizes, minlength=len(larger.sizes)).astype(np.int64)
        row = np.full(len(sizes), len(self.member), dtype=np.int64)
        np.minimum.at(row, larger.member, self.row)
        return Groups(larger.member[self.member], row, sizes)

    def sums(self, values: FloatArray) -> "Sums":
        """Exact sums of each group's values, one a row and each within ±1024, taken to the nearest 2^-50."""
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
        """Population standard deviation of each group; exactly 0 where all its values are the same."""
        low, high = np.full(len(self.sizes), np.inf), np.full(len(self.sizes), -np.inf)
        np.minimum.at(low, self.member, values)
        np.maximum.at(high, self.member, values)
        # Squares of small deviations would lose their digits: each is measured by its group's range.
        reach = np.where(high > low, high - low, 1.0)
        away = (values - self.sums(values).means()[self.member]) / reach[self.member]
        return np.where(high > low, reach * np.sqrt(self.sums(away**2).means()), 0.0)

    def sorted(self, values: FloatArray) -> "Sorted":
        """The values group after group, ascending inside each."""
        order = np.lexsort((values, self.member))
        return Sorted(values[order], np.cumsum(self.sizes) - self.sizes, self.sizes)


@dataclass(frozen=True, eq=False)
class Sums:
    """The sum of each group in multiples of 2^-20 and, beyond them, of 2^-50."""

    coarse: IntArray
    fine: IntArray
    sizes: IntArray

    def joined(self, larger: Groups) -> "Sums":
        """The sums of groups of these groups, as exact as from their rows."""
        found = np.zeros((3, len(larger.sizes)), dtype=np.int64)
        for total, part in zip(found, (self.coarse, self.fine, self.sizes), strict=True):
            np.add.at(total, larger.member, part)
        return Sums(*found)

    def means(self) -> FloatArray:
        """The arithmetic mean of each group."""
        means: FloatArray = (self.coarse + self.fine / FINE) / COARSE / self.sizes
        return means


@dataclass(frozen=True, eq=False)
class Sorted:
    """Values by group and ascending inside each: group j is `values[starts[j]:starts[j] + sizes[j]]`."""

    values: FloatArray
    starts: IntArray
    sizes: IntArray

    def middle(self) -> tuple[FloatArray, FloatArray]:
        """The two middle values of each group; twice the same one where its size is odd."""
        return self.values[self.starts + (self.sizes - 1) // 2], self.values[self.starts + self.sizes // 2]


def _numbered(table: pl.DataFrame) -> tuple[IntArray, IntArray]:
    """For each row the number of its combination of texts, and the first row of each combination."""
    # The column with the most texts comes first, as far as some rows can tell: the others may add nothing.
    some = table.gather_every(1 + len(table) // 1000)
    first, *others = sorted(table.columns, key=lambda key: -some[key].n_unique())
    member = _categories(table[first])
    row = _first_rows(member)
    # Often no other column tells more groups apart, as a unit's topic and worker where its id is its own.
    one = [pl.col(key).gather(row).gather(pl.lit(pl.Series(member))) for key in others]
    apart = table.select((mine != pl.col(key)).any() for key, mine in zip(others, one, strict=True))
    for key in others:
        if apart[key].item():
            numbers = _categories(table[key])
            bound = int(numbers.max()) + 1
            member = _without_gaps(member * bound + numbers, len(row) * bound)
            row = _first_rows(member)
    return member, row


def _categories(texts: pl.Series) -> IntArray:
    """The texts of a column numbered from 0."""
    # Categories of their own have no other column's texts among them, and go when the column goes.
    own = pl.Categorical(pl.Categories.random())
    return texts.cast(own).to_physical().to_numpy().astype(np.int64)


def _first_rows(member: IntArray) -> IntArray:
    row = np.empty(int(member.max(initial=-1)) + 1, dtype=np.int64)
    for start in reversed(range(0, len(member), IN_CACHE)):
        part = member[start : start + IN_CACHE]
        row[part[::-1]] = np.arange(start + len(part) - 1, start - 1, -1)  # of several the last set remains
    return row


def _without_gaps(numbers: IntArray, bound: int) -> IntArray:
    """Numbers below `bound`, renumbered from 0."""
    if bound > 4 * len(numbers):
        # Too many to look each of them up: the first row that holds a number stands for it.
        table = pl.DataFrame({"number": numbers}).with_row_index("row")
        numbers = table.select(pl.col("row").first().over("number")).to_series().to_numpy().astype(np.int64)
        bound = len(numbers)
    held = np.zeros(bound, dtype=np.int64)
    held[numbers] = 1
    return (np.cumsum(held) - 1)[numbers]

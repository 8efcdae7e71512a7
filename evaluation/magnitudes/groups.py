"""Groups of rows, summed in sorted order: the same bits whatever the order of the rows."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Groups:
    """Values gathered by group and ascending inside each.

    `values` holds all n values, group after group; group j is `values[starts[j]:starts[j] + sizes[j]]`,
    `row[j]` is one row of the table that belongs to it, and `member[i]` is the group of table row i.
    """

    values: FloatArray
    starts: IntArray
    sizes: IntArray
    row: IntArray
    member: IntArray

    @classmethod
    def by(cls, table: pl.DataFrame, keys: list[str], values: FloatArray) -> "Groups":
        """Group the rows of `table` by the columns `keys`."""
        one_row = table.with_row_index("row").select(pl.col("row").first().over(keys)).to_series().to_numpy()
        row, member = np.unique(one_row, return_inverse=True)
        order = np.lexsort((values, member))
        sizes = np.bincount(member, minlength=len(row)).astype(np.int64)
        starts = np.cumsum(sizes) - sizes
        return cls(values[order], starts, sizes, row.astype(np.int64), member.astype(np.int64))

    def means(self) -> FloatArray:
        """Arithmetic mean of each group."""
        sums: FloatArray = np.add.reduceat(self.values, self.starts)
        return sums / self.sizes

    def middle(self) -> tuple[FloatArray, FloatArray]:
        """The two middle values of each group; twice the same one where its size is odd."""
        return self.values[self.starts + (self.sizes - 1) // 2], self.values[self.starts + self.sizes // 2]

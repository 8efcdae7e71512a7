"""Parse the numbers of every file in the same way: digits, decimal point, exponent, `inf`, `nan`."""

import polars as pl

from ..errors import InputError, shown
from ..origin import Origin, first


def parse_numbers(name: str, cells: pl.Series, origin: Origin) -> pl.Series:
    """Return the cells as 64-bit floats, rounded to the nearest float and never cut to a whole number.

    Raise `InputError` with the line of the first cell that is empty or not a number.
    """
    numbers = cells.cast(pl.Float64, strict=False)
    if (row := first(numbers.is_null().to_numpy())) is not None:
        if not cells[row]:
            raise InputError(
                "empty-number",
                "{column} is empty; write a number like 12, 0.5 or 1e-3",
                origin.at(row),
                column=name,
            )
        raise InputError(
            "not-a-number",
            "{column} {cell} is not a number; write it like 12, 0.5 or 1e-3",
            origin.at(row),
            column=name,
            cell=shown(cells[row]),
        )
    return numbers

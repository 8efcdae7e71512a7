"""One grammar of numbers for every file: digits, a decimal point, an exponent; also `inf` and `nan`."""

import polars as pl

from evaluation.errors import shown
from evaluation.origin import Origin, first


def parse_numbers(name: str, cells: pl.Series, origin: Origin) -> pl.Series:
    """The cells as 64-bit floats; `InputError` names the line of the first that is empty or no number.

    The nearest float is taken and nothing is cut to a whole number.
    """
    numbers = cells.cast(pl.Float64, strict=False)
    if (row := first(numbers.is_null().to_numpy())) is not None:
        cell = cells[row]
        fault = f"{name} {shown(cell)} is not a number" if cell else f"{name} is empty"
        origin.refuse(row, f"{fault}; write it like 12, 0.5 or 1e-3")
    return numbers

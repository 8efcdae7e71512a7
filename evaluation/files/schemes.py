"""Gain schemes from files: lines `value gain`, parted by tabs or blanks, without a header."""

from pathlib import Path

import numpy as np

from evaluation.files.trec import NUMBER, read_columns
from evaluation.origin import first

LAYOUT = {"value": NUMBER, "gain": NUMBER}


def read_scheme(path: str | Path) -> str:
    """The file as a written scheme, which `gain=` of every measure takes: `0:0,1:1,2:10`.

    Raises `InputError` with file and line for another number of columns, what is no finite number from 0
    up, and a value with a second gain.
    """
    table, origin = read_columns(path, LAYOUT)
    for name in LAYOUT:
        numbers = table[name].to_numpy()
        if (row := first(~np.isfinite(numbers) | (numbers < 0))) is not None:
            origin.refuse(row, f"{name} {numbers[row]:g} is not a finite number from 0 up")
    values = table["value"]
    if (row := first((~values.is_first_distinct()).to_numpy())) is not None:
        origin.refuse(row, f"the value {values[row]:g} is given a second gain; leave one")
    return ",".join(f"{_written(value)}:{_written(gain)}" for value, gain in sorted(table.iter_rows()))


def _written(number: float) -> str:
    """The fewest digits that give back the very same number; whole ones without a decimal point."""
    return repr(number + 0.0).removesuffix(".0")  # adding 0.0 makes −0.0 the 0.0 that it is

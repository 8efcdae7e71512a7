"""Gain schemes from files.

Each line has a value and its gain, separated by tabs or blanks. There is no header.
"""

import numpy as np

from ..errors import InputError
from ..origin import first
from ..parsing.text import File
from ..parsing.trec import NUMBER, Layout, read_columns

LAYOUT = Layout("value gain", {"value": NUMBER, "gain": NUMBER})


def read_scheme(path: File) -> str:
    """Read a scheme, and return it in the notation of the parameter `gain=`, such as `0:0,1:1,2:10`.

    Raise `InputError` with file and line for a wrong number of columns, for a number that is negative or not
    finite, and for a value with two gains.
    """
    table, origin = read_columns(path, LAYOUT)
    for name in LAYOUT.types:
        numbers = table[name].to_numpy()
        if (row := first(~np.isfinite(numbers) | (numbers < 0))) is not None:
            raise InputError(
                "scheme-number-out-of-bounds",
                "{column} {number} is negative or not finite; write a finite number that is at least 0",
                origin.at(row),
                column=name,
                number=f"{numbers[row]:g}",
            )
    values = table["value"]
    if (row := first((~values.is_first_distinct()).to_numpy())) is not None:
        raise InputError(
            "value-with-two-gains",
            "the value {value} has two gains; remove one of them",
            origin.at(row),
            value=f"{values[row]:g}",
        )
    return ",".join(
        f"{_shortest_text(value)}:{_shortest_text(gain)}" for value, gain in sorted(table.iter_rows())
    )


def _shortest_text(number: float) -> str:
    """Return the shortest text that restores the same number. Whole numbers have no decimal point."""
    return repr(number + 0.0).removesuffix(".0")  # adding 0.0 turns −0.0 into 0.0

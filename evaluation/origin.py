"""Where the rows of a frame came from, so that an error can name the place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from evaluation.errors import InputError

SHOWN: Final = 20
"""The largest number of rows at fault that a message names."""


@dataclass(frozen=True)
class Origin:
    """The file of a frame and the line of each of its rows; without a file, rows are counted from 1."""

    path: str | None = None
    lines: Sequence[int] | None = None

    def at(self, row: int) -> str:
        """Return the place of a row, as an error names it: `FILE:LINE`, or `row N` from 1."""
        if self.path is None:
            return f"row {row + 1}"
        return f"{self.path}:{row + 1 if self.lines is None else self.lines[row]}"

    def naming_others(self, error: InputError, rows: Sequence[int], first_row: int) -> InputError:
        """Return the error of the first row, extended by the other rows at fault.

        Up to 20 rows are named. Without other rows, `error` is returned as it is.
        """
        others = [row for row in rows if row != first_row]
        if not others:
            return error
        numbers = [row + 1 if self.lines is None else self.lines[row] for row in others[: SHOWN - 1]]
        listed = ", ".join(map(str, numbers)) + (", …" if len(others) > len(numbers) else "")
        fault, total = error.at(""), len(others) + 1
        if self.path is None:
            return InputError(
                "several-rows-at-fault",
                "{fault}. Other invalid rows: {rows} ({number} in all)",
                error.where,
                fault=fault,
                rows=listed,
                number=total,
            )
        return InputError(
            "several-lines-at-fault",
            "{fault}. Other invalid lines: {lines} ({number} in all)",
            error.where,
            fault=fault,
            lines=listed,
            number=total,
        )


NO_FILE = Origin()
"""The origin of columns that came from no file."""


def first(fault: npt.NDArray[np.bool_]) -> int | None:
    """Return the index of the first row at fault, or None."""
    return int(fault.argmax()) if fault.any() else None

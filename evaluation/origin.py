"""Where the rows of a frame came from, so that an error can name the place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

import numpy as np
import numpy.typing as npt

from evaluation.errors import InputError

SHOWN: Final = 20
"""Rows at fault that a message names."""


@dataclass(frozen=True)
class Origin:
    """The file of a frame and the line of each of its rows; without a file, rows are counted from 1."""

    path: str | None = None
    lines: Sequence[int] | None = None

    def at(self, row: int) -> str:
        if self.path is None:
            return f"row {row + 1}"
        return f"{self.path}:{row + 1 if self.lines is None else self.lines[row]}"

    def refuse(self, row: int, what: str) -> NoReturn:
        raise InputError(what, self.at(row))

    def others(self, rows: Sequence[int], first_row: int) -> str:
        """Return which rows are at fault besides the first, for a message that names up to 20."""
        more = [row for row in rows if row != first_row]
        if not more:
            return ""
        word = "row" if self.path is None else "line"
        numbers = [row + 1 if self.lines is None else self.lines[row] for row in more[: SHOWN - 1]]
        some = ", ".join(map(str, numbers)) + (", …" if len(more) > len(numbers) else "")
        return f"; also {word}{'s' * (len(more) > 1)} {some} ({len(more) + 1} in all)"


NO_FILE = Origin()
"""Columns that came from no file."""


def first(fault: npt.NDArray[np.bool_]) -> int | None:
    """Index of the first row that is at fault, or None."""
    return int(fault.argmax()) if fault.any() else None

"""Where the rows of a frame come from, so that an error can name the file and the line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .showing import short_repr

MOST_NAMED: Final = 20
"""The largest number of invalid rows that a message names."""


@short_repr
@dataclass(frozen=True)
class Origin:
    """The file that a frame comes from, and the line of each row. Without a file, rows are counted from 1."""

    path: str | None = None
    lines: Sequence[int] | None = None

    def at(self, row: int) -> str:
        """Return the place of a row for an error message: `FILE:LINE`, or `row N` (counted from 1)."""
        line = row + 1 if self.lines is None else self.lines[row]
        return f"row {line}" if self.path is None else f"{self.path}:{line}"

    def of_rows(self, rows: Sequence[int]) -> "Origin":
        """Return the origin of a frame that keeps only these rows, given by their indexes.

        Without a file, `lines` of the new origin has the old numbers of these rows, counted from 1.
        """
        lines = [row + 1 if self.lines is None else self.lines[row] for row in rows]
        return Origin(self.path, lines)

    def naming_others(self, error: InputError, rows: Sequence[int], first_row: int) -> InputError:
        """Return `error` with the numbers of the other invalid rows added.

        `error` is about `first_row`, and `rows` are the indexes of all invalid rows. Up to 20 rows are named.
        If there is only one invalid row, `error` is returned unchanged.
        """
        others = [row for row in rows if row != first_row]
        if not others:
            return error
        numbers = [row + 1 if self.lines is None else self.lines[row] for row in others[: MOST_NAMED - 1]]
        listed = ", ".join(map(str, numbers)) + (", …" if len(others) > len(numbers) else "")
        fault, total = error.at(""), len(others) + 1
        if self.path is None:
            return InputError(
                "several-rows-at-fault",
                "{fault}. Other invalid rows: {rows} ({number} invalid rows in total)",
                error.where,
                fault=fault,
                rows=listed,
                number=total,
            )
        return InputError(
            "several-lines-at-fault",
            "{fault}. Other invalid lines: {lines} ({number} invalid lines in total)",
            error.where,
            fault=fault,
            lines=listed,
            number=total,
        )


NO_FILE = Origin()
"""The origin of columns that were not read from a file."""


def first(invalid: npt.NDArray[np.bool_]) -> int | None:
    """Return the index of the first row that is marked as invalid, or None if no row is."""
    return int(invalid.argmax()) if invalid.any() else None

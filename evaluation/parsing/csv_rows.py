"""Parse CSV."""

import csv
import io
from collections.abc import Iterator, Sequence

from ..errors import InputError


def csv_rows(text: str, path: str, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each row begins, and the cells of the row. A blank line has no cells.

    Raise `InputError` with the line of the first row that is not well-formed.
    """
    csv.field_size_limit(2**31 - 1)  # justifications and texts can exceed the default of 128 kB
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    line = 1
    try:
        for row in reader:
            yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            "malformed-csv",
            "the line is not well-formed CSV ({reason}); correct it",
            f"{path}:{line}",
            reason=str(error),
        ) from None


def refuse_row_unlike(header: Sequence[object], row: Sequence[str], where: str) -> None:
    """Raise `InputError` if a row has fewer or more cells than the header."""
    if len(row) != len(header):
        raise InputError(
            "row-unlike-header",
            "the row has {cells} cells, but the header has {columns}; give both the same number of cells",
            where,
            cells=len(row),
            columns=len(header),
        )

"""Read files whose columns have names: by a header, by the keys of JSON objects, or by what the user says."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NoReturn

import polars as pl

from ..errors import InputError, shown
from ..origin import Origin
from ..shapes import NAMES, Shape
from .csv_rows import csv_rows, refuse_row_unlike
from .detect import HEAD, delimiter_of, kind_of
from .jsonl import keys_of_first, rows_of_objects
from .text import decode, refuse_empty

Column = str | int
"""The name of a column of the file or, in a file without a header, its position, counted from 1."""
Names = Mapping[str, Column]
"""Maps our columns to columns of the file."""
Rows = Iterator[tuple[int, list[str]]]
"""The line on which each row begins, and the cells of the row."""

_SURE: Final = 2
"""The number of required columns that a first line must name to be taken for a header."""


def named_columns(
    data: bytes, path: str, shape: Shape, columns: Names | None = None
) -> tuple[dict[str, pl.Series], Origin] | None:
    """Return the columns of a file as text, by our names, and the line of each row.

    A header has names as in `NAMES`, separated by tabs, commas, semicolons or blanks; JSONL has objects with
    such keys. `columns` maps our columns to other names or, for a file without a header, to positions. White
    space around cells is not part of them. Blank lines are skipped and, in a file without a header, lines
    that begin with `#`. Return None for a file without names, unless `columns` names them.

    Raise `InputError` if a required column is missing, for `columns` that there are not, and for a row with
    fewer or more cells than the header.
    """
    wanted = columns or {}
    refuse_unknown_columns(wanted, [*shape.columns, *shape.optional])
    text = decode(data, path)
    header: Sequence[Column]
    if kind_of(data[:HEAD]) == "jsonl":
        return _columns_of_objects(text, path, shape, wanted)
    if any(isinstance(column, int) for column in wanted.values()):
        header, rows = _numbered(_cells(text, path, "#"))
    elif wanted or _is_header(_first_line(text), shape):
        rows = _cells(text, path)
        _line, header = next(rows, (1, []))
    else:
        return None
    if not header:
        refuse_empty(path)
    places = _places(header, path, shape, wanted)
    lines, cells = _checked_rows(header, rows, path)
    return _columns(places, cells), Origin(path, lines)


def _columns_of_objects(
    text: str, path: str, shape: Shape, wanted: Names
) -> tuple[dict[str, pl.Series], Origin]:
    keys = keys_of_first(text, path)
    used = {column: keys[place] for column, place in _places(keys, path, shape, wanted).items()}
    rows = [*rows_of_objects(text, path, [*used.values()])]
    places = {column: place for place, column in enumerate(used)}
    return _columns(places, [cells for _, cells in rows]), Origin(path, [line for line, _ in rows])


def _columns(places: Mapping[str, int], cells: Sequence[Sequence[str]]) -> dict[str, pl.Series]:
    return {
        name: pl.Series(name, [row[place] for row in cells], dtype=pl.String)
        for name, place in places.items()
    }


def refuse_unknown_columns(columns: Mapping[str, object], known: Sequence[str]) -> None:
    """Raise `InputError` for the first key that is not one of our columns `known`."""
    for column in columns:
        if column not in known:
            raise InputError(
                "unknown-column",
                "there is no column {column} to name; choose from {known}",
                column=shown(column),
                known=", ".join(known),
            )


def refuse_missing_column(path: str, column: str, present: Sequence[str]) -> NoReturn:
    """Raise `InputError`, because the header lacks a column that was named."""
    raise InputError(
        "csv-column-to-map-missing",
        "the header has no column {column}; choose from {present}",
        f"{path}:1",
        column=shown(column),
        present=", ".join(present),
    )


def _first_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _is_header(line: str, shape: Shape) -> bool:
    cells = [cell.strip(' "\r') for cell in line.split(delimiter_of(line) or None)]
    return sum(any(name in cells for name in NAMES[column]) for column in shape.columns) >= _SURE


def _places(header: Sequence[Column], path: str, shape: Shape, wanted: Names) -> dict[str, int]:
    """Return where each of our columns stands in a row. Raise `InputError` if a required one is missing."""
    places = {}
    for column in (*shape.columns, *shape.optional):
        names = (wanted[column],) if column in wanted else NAMES[column]
        found = next((name for name in names if name in header), None)
        if found is not None:
            places[column] = header.index(found)
        elif column in wanted:
            refuse_missing_column(path, str(wanted[column]), [*map(str, header)])
        elif column in shape.columns:
            raise InputError(
                "file-without-column",
                "{what} need the column {column}, but the file only has the columns {columns}; rename the "
                "matching column, say which it is with --columns {column}=NAME, or write lines of {layout}",
                f"{path}:1",
                what=shape.what,
                column=column,
                columns=", ".join(map(str, header)) or "none",
                layout=shape.layout,
            )
    return places


def _numbered(rows: Rows) -> tuple[Sequence[Column], Rows]:
    """Return the positions of the columns of a file without a header, and its rows."""
    first = next(rows, None)
    if first is None:
        return [], iter(())
    return range(1, len(first[1]) + 1), chain([first], rows)


def _cells(text: str, path: str, comment: str = "") -> Rows:
    rows: Rows
    if delimiter := delimiter_of(_first_line(text)):
        rows = csv_rows(text, path, delimiter=delimiter)
    else:
        rows = ((number, line.split()) for number, line in enumerate(text.split("\n"), 1))
    for line, row in rows:
        cells = [cell.strip() for cell in row]
        if any(cells) and not (comment and cells[0].startswith(comment)):
            yield line, cells


def _checked_rows(header: Sequence[Column], rows: Rows, path: str) -> tuple[list[int], list[list[str]]]:
    """Return the line and the cells of each row. Raise `InputError` for a row unlike the header."""
    lines, cells = [], []
    for line, row in rows:
        refuse_row_unlike(header, row, f"{path}:{line}")
        lines.append(line)
        cells.append(row)
    if not lines:
        raise InputError(
            "file-without-rows",
            "the file has a header but no rows; check that it is the right one",
            f"{path}:1",
        )
    return lines, cells

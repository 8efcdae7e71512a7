"""Check columns of ids and numbers. Errors name the first invalid row."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from .arrays import FloatArray
from .errors import InputError, shown
from .forks import watch_forks
from .origin import Origin, first
from .scales.scale import Scale

Column = Sequence[Any] | npt.NDArray[Any] | pl.Series
UNIT: Final = ("topic_id", "unit_id", "worker_id")
"""The columns that together identify a unit. A file without workers has only the first two."""
MARKS = ("H", "N", "")


def refuse_outside(
    scale: Scale, name: str, values: FloatArray, origin: Origin, *, is_normalised: bool = False
) -> None:
    """Raise `InputError` for the first value with a fault.

    With `is_normalised`, check only lasting faults.
    """
    for fault in scale.faults:
        if (fault.is_lasting or not is_normalised) and (row := first(fault.finds(values))) is not None:
            raise fault.error(origin.at(row), name, f"{values[row]:g}")


def ids(name: str, values: Column, origin: Origin, *, may_be_empty: bool = False) -> pl.Series:
    """Return a column of ids as text. Whole numbers are written as digits.

    Raise `InputError` for the first id that is neither text nor a whole number. Decimal numbers are invalid,
    because an id such as 1.5 could also be written as 1.50. Unless `may_be_empty` is set, also raise
    `InputError` for the first empty row.
    """
    if not (isinstance(values, pl.Series) and values.dtype == pl.String):
        values = [_id(name, value, origin, row) for row, value in enumerate(values)]
    column = pl.Series(name, values, dtype=pl.String)
    if column.has_nulls():
        column = column.fill_null("")
    if not may_be_empty and (empty := column == "").any():
        raise InputError(
            "empty-cell",
            "{column} is empty; give a value in every row",
            origin.at(int(empty.arg_max() or 0)),
            column=name,
        )
    return column


def _id(name: str, value: object, origin: Origin, row: int) -> str | None:
    if isinstance(value, str | None):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(value)
    raise InputError(
        "id-not-text",
        "{column} {value} is not an id; give ids as text or as whole numbers",
        origin.at(row),
        column=name,
        value=shown(value),
    )


def marks(name: str, values: Column, origin: Origin) -> pl.Series:
    """Return a column of anchor marks as text: `H`, `N` or empty. Raise `InputError` for any other mark."""
    column = ids(name, values, origin, may_be_empty=True)
    if (row := first(~column.is_in(list(MARKS)).to_numpy())) is not None:
        raise InputError(
            "unknown-anchor-mark",
            "{column} {value} is not an anchor mark; write H or N, or leave it empty for other documents",
            origin.at(row),
            column=name,
            value=shown(column[row]),
        )
    return column


def numbers(name: str, values: Column, origin: Origin) -> pl.Series:
    """Return a column as 64-bit floats. Raise `InputError` if a row is empty or not a number."""
    if not isinstance(values, pl.Series) and not (
        isinstance(values, np.ndarray) and values.dtype.kind in "iuf"
    ):
        for row, value in enumerate(values):
            if not isinstance(value, int | float | np.integer | np.floating | None):
                raise InputError(
                    "value-not-a-number",
                    "{column} {value} is not a number; give an int or a float",
                    origin.at(row),
                    column=name,
                    value=shown(value),
                )
        values = [_float(name, value, origin, row) for row, value in enumerate(values)]
    column = pl.Series(name, values, dtype=pl.Float64)
    if column.has_nulls():
        raise InputError(
            "missing-number",
            "{column} is empty; give a number",
            origin.at(first(column.is_null().to_numpy()) or 0),
            column=name,
        )
    return column


def _float(name: str, value: Any, origin: Origin, row: int) -> float | None:
    try:
        return None if value is None else float(value)
    except OverflowError:
        raise InputError(
            "number-too-large",
            "{column} is an integer of {bits} bits, more than a float can hold; give a smaller number",
            origin.at(row),
            column=name,
            bits=value.bit_length(),
        ) from None


def table_of(columns: dict[str, pl.Series]) -> pl.DataFrame:
    """Return the columns as one table. Raise `InputError` if their lengths differ."""
    watch_forks()
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            "columns-differ-in-length",
            "the columns differ in length: {lengths}; give each column one entry per row",
            lengths=", ".join(f"{name} {length}" for name, length in lengths.items()),
        )
    return pl.DataFrame(list(columns.values()))

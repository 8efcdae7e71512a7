"""Columns of ids and of numbers, checked; the first row at fault is named."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.errors import InputError, shown
from evaluation.origin import Origin, first

Column = Sequence[Any] | npt.NDArray[Any] | pl.Series

SMALLEST_MAGNITUDE, LARGEST_MAGNITUDE = 1e-100, 1e100
MARKS = ("H", "N", "")
MAGNITUDE = "a magnitude is a number above 0, from 1e-100 to 1e100"


def refuse_magnitudes(name: str, values: FloatArray, origin: Origin) -> None:
    """Raise for the first value that cannot be a magnitude as a worker gave it."""
    refuse_not_positive(name, values, origin)
    if (row := first((values < SMALLEST_MAGNITUDE) | (values > LARGEST_MAGNITUDE))) is not None:
        origin.refuse(row, f"{name} {values[row]:g} is out of bounds; {MAGNITUDE}")


def refuse_not_positive(name: str, values: FloatArray, origin: Origin) -> None:
    """Raise for the first value that is not a positive finite number."""
    if (row := first(~np.isfinite(values))) is not None:
        origin.refuse(row, f"{name} {values[row]} is not finite; {MAGNITUDE}")
    if (row := first(values <= 0)) is not None:
        origin.refuse(row, f"{name} {values[row]:g} is not above 0; {MAGNITUDE}")


def ids(name: str, values: Column, origin: Origin, *, may_be_empty: bool = False) -> pl.Series:
    """The column as text; an empty row is refused, and an id that is a number is not made text in passing."""
    if not (isinstance(values, pl.Series) and values.dtype == pl.String):
        values = list(values)
        for row, value in enumerate(values):
            if not isinstance(value, str | None):
                origin.refuse(row, f"{name} {shown(value)} is not text; ids are text")
    column = pl.Series(name, values, dtype=pl.String)
    if column.has_nulls():
        column = column.fill_null("")
    if not may_be_empty and (empty := column == "").any():
        origin.refuse(int(empty.arg_max() or 0), f"{name} is empty; every row needs one")
    return column


def marks(name: str, values: Column, origin: Origin) -> pl.Series:
    """The column of a unit's anchors, `H`, `N` or empty; any other mark is refused."""
    column = ids(name, values, origin, may_be_empty=True)
    if (row := first(~column.is_in(list(MARKS)).to_numpy())) is not None:
        what = f"{name} {shown(column[row])} is no mark of an anchor"
        origin.refuse(row, f"{what}; give H, N, or nothing for every other document")
    return column


def numbers(name: str, values: Column, origin: Origin) -> pl.Series:
    """The column as 64-bit floats; a row that is empty or no number is refused."""
    if not isinstance(values, pl.Series) and not (
        isinstance(values, np.ndarray) and values.dtype.kind in "iuf"
    ):
        for row, value in enumerate(values):
            if not isinstance(value, int | float | np.number | None):
                origin.refuse(row, f"{name} {shown(value)} is not a number")
        values = list(values)
    column = pl.Series(name, values, dtype=pl.Float64)
    if column.has_nulls():
        origin.refuse(first(column.is_null().to_numpy()) or 0, f"{name} is empty; give a number")
    return column


def table_of(columns: dict[str, pl.Series]) -> pl.DataFrame:
    """The columns side by side; `InputError` where their lengths differ."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns differ in length: {lengths}")
    return pl.DataFrame(list(columns.values()))

"""Check the tables that figures are drawn from."""

from collections.abc import Sequence

import polars as pl

from ..errors import InputError, shown
from ..origin import first


def check_columns(
    table: pl.DataFrame,
    *,
    texts: Sequence[str] = (),
    numbers: Sequence[str] = (),
    nullable: Sequence[str] = (),
    booleans: Sequence[str] = (),
    above_zero: Sequence[str] = (),
    optional: Sequence[str] = (),
) -> pl.DataFrame:
    """Check the named columns of the table, and return a table that has only these columns.

    The columns in `texts` become strings, and the columns in `numbers` and `nullable` become 64-bit floats.
    The columns in `booleans` must be booleans. `numbers` must be finite in every row; `nullable` columns can
    also be null (NaN becomes null). The columns in `above_zero` must be above 0 because a log axis shows
    them. The columns in `optional` can be missing. Raise `InputError` for a table without rows, for a column
    that is missing or of the wrong type, and for the first invalid value.
    """
    if not isinstance(table, pl.DataFrame):
        raise InputError(
            "not-a-data-frame",
            "the table is a {type}; give a polars DataFrame",
            type=type(table).__name__,
        )
    names = [*texts, *numbers, *nullable, *booleans]
    missing = [name for name in names if name not in table.columns and name not in optional]
    if missing:
        raise InputError(
            "table-column-missing",
            "the table has no column {missing}, only {present}; add the missing column",
            missing=", ".join(missing),
            present=", ".join(table.columns),
        )
    if table.is_empty():
        raise InputError(
            "table-without-rows", "the table has no rows, so there is nothing to draw; give one row or more"
        )
    present = [name for name in names if name in table.columns]
    return pl.DataFrame(
        [
            _text(table[name])
            if name in texts
            else _mark(table[name])
            if name in booleans
            else _number(table[name], gap=name in nullable, positive=name in above_zero)
            for name in present
        ]
    )


def order_of(column: pl.Series) -> list[str]:
    """Return the distinct strings in a column, in the order in which they first appear."""
    return column.unique(maintain_order=True).to_list()


def refuse_repetition(table: pl.DataFrame, keys: Sequence[str]) -> None:
    """Raise `InputError` for the first row that repeats the keys of an earlier row."""
    if (
        row := first((~table.select(pl.struct(*keys).is_first_distinct()).to_series()).to_numpy())
    ) is not None:
        raise InputError(
            "table-row-twice",
            "two rows of the table are for {key}; remove one of them",
            f"row {row + 1}",
            key=", ".join(f"{key} {shown(table[key][row])}" for key in keys),
        )


def _text(column: pl.Series) -> pl.Series:
    if (row := first(column.is_null().to_numpy())) is not None:
        raise InputError(
            "empty-cell",
            "{column} is empty; give a value in every row",
            f"row {row + 1}",
            column=column.name,
        )
    return column.cast(pl.String)


def _mark(column: pl.Series) -> pl.Series:
    if column.dtype != pl.Boolean or column.has_nulls():
        raise InputError(
            "table-column-not-boolean",
            "the column {column} has values other than true and false; give true or false in every row",
            column=column.name,
        )
    return column


def _number(column: pl.Series, *, gap: bool, positive: bool) -> pl.Series:
    if not (column.dtype.is_numeric() or column.dtype == pl.Null):
        raise InputError(
            "table-column-not-numeric",
            "the column {column} has the type {type}; convert it to numbers",
            column=column.name,
            type=str(column.dtype),
        )
    values = column.cast(pl.Float64).fill_nan(None)
    if not gap and (row := first(values.is_null().to_numpy())) is not None:
        raise InputError(
            "table-number-missing",
            "{column} is empty or not a number; give a number",
            f"row {row + 1}",
            column=column.name,
        )
    if (row := first(values.is_infinite().fill_null(False).to_numpy())) is not None:
        raise InputError(
            "table-number-not-finite",
            "{column} is not finite and cannot be drawn; give a finite number",
            f"row {row + 1}",
            column=column.name,
        )
    if positive and (row := first((values <= 0).fill_null(False).to_numpy())) is not None:
        raise InputError(
            "table-number-not-positive",
            "{column} {value} is not above 0, so a logarithmic axis cannot show it; give a positive number",
            f"row {row + 1}",
            column=column.name,
            value=f"{values[row]:g}",
        )
    return values

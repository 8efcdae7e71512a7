"""Write tables as Parquet. To save memory, write batches of rows to temporary files, then join the files."""

import json
from collections.abc import Generator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polars as pl

from judging.core.formats.export_table import Table
from judging.core.formats.packing import chunks_of
from judging.core.published.table import Cell, Kind, as_objects

ROWS_AT_ONCE: Final = 50_000
"""The maximum number of rows in memory, and in a row group."""
TYPES: Final[dict[Kind, pl.DataType]] = {
    Kind.TEXT: pl.String(),
    Kind.WHOLE: pl.Int64(),
    Kind.NUMBER: pl.Float64(),
    Kind.YES_NO: pl.Boolean(),
    Kind.TIME: pl.Datetime("us", "UTC"),
    Kind.AMOUNT: pl.Decimal(12, 2),
}
METADATA: Final = "plumbline:columns"
"""The key in a Parquet file's metadata under which the data dictionary is stored as JSON."""


def parquet_chunks(table: Table) -> Generator[bytes, None, None]:
    """Read all rows of a table, then yield the bytes of its Parquet file.

    The same rows always give the same bytes. `None` is stored as null. Times are in UTC, to the microsecond.
    Amounts are decimals with two places.
    """
    with TemporaryDirectory(prefix="plumbline-") as name:
        folder = Path(name)
        whole = folder / "whole.parquet"
        batches = _write_batches(table, folder)
        pl.scan_ipc(batches).sink_parquet(
            whole,
            row_group_size=ROWS_AT_ONCE,
            metadata={METADATA: json.dumps(as_objects(table.columns), ensure_ascii=False)},
        )
        with whole.open("rb") as file:
            yield from chunks_of(file)


def _write_batches(table: Table, folder: Path) -> list[Path]:
    """Write the rows to one file per batch. If there are no rows, write one file to store the columns."""
    schema = {column.name: TYPES[column.kind] for column in table.columns}
    rows = iter(table.rows)
    paths: list[Path] = []
    while (batch := list(islice(rows, ROWS_AT_ONCE))) or not paths:
        paths.append(folder / f"{len(paths):08}.arrow")
        cells = [[_cell(cell) for cell in row] for row in batch]
        pl.DataFrame(cells, schema=schema, orient="row").write_ipc(paths[-1])
    return paths


def _cell(cell: Cell) -> Cell:
    return cell.astimezone(UTC) if isinstance(cell, datetime) else cell

"""Print the results of the grid as tables in Markdown."""

from pathlib import Path

import polars as pl

_CELL = ["crowd", "topics", "share", "kind", "target", "evidence", "what"]


def summary(folder: Path) -> pl.DataFrame:
    """Return a row for each cell of the grid, for means and for differences.

    `covered` is the share of offered intervals that contain the truth, `error_of_covered` its standard error
    from the differences between blocks of seeds, and `lowest` the coverage of the contrast with the lowest.
    `width` is the mean width of intervals, `error` the root mean square error and `bias` the mean error.
    """
    rows = pl.read_csv(folder / "*.csv").with_columns(
        what=pl.when(pl.col("contrast").str.contains("-")).then(pl.lit("difference")).otherwise(pl.lit("mean"))
    )
    share = pl.col("covered").sum() / pl.col("offered").sum()
    blocks = rows.group_by(*_CELL, "block").agg(covered=share)
    spread = blocks.group_by(_CELL).agg(
        error_of_covered=pl.col("covered").std() / pl.col("covered").count().sqrt()
    )
    lowest = (
        rows.group_by(*_CELL, "contrast").agg(covered=share).group_by(_CELL).agg(lowest=pl.col("covered").min())
    )
    number = pl.col("studies").sum()
    table = rows.group_by(_CELL, maintain_order=True).agg(
        studies=number // pl.col("contrast").n_unique(),
        offered=pl.col("offered").sum() / number,
        covered=share,
        width=pl.col("width").sum() / pl.col("offered").sum(),
        error=(pl.col("square").sum() / number).sqrt(),
        bias=pl.col("error").sum() / number,
    )
    return table.join(spread, on=_CELL, maintain_order="left").join(lowest, on=_CELL, maintain_order="left")

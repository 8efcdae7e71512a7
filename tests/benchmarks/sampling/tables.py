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
        what=pl.when(pl.col("contrast").str.contains("-"))
        .then(pl.lit("difference"))
        .otherwise(pl.lit("mean"))
    )
    share = pl.col("covered").sum() / pl.col("offered").sum()
    blocks = rows.group_by(*_CELL, "block").agg(covered=share)
    spread = blocks.group_by(_CELL).agg(
        error_of_covered=pl.col("covered").std() / pl.col("covered").count().sqrt()
    )
    lowest = (
        rows.group_by(*_CELL, "contrast")
        .agg(covered=share)
        .group_by(_CELL)
        .agg(lowest=pl.col("covered").min())
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


def of_grid(cells: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the tables of the grid: coverage in brief, coverage of each cell, and errors of each cell."""
    offered = cells.filter(pl.col("offered") > 0)
    valid = offered.filter(~pl.col("evidence").is_in(["filled", "shown"]))
    covered = pl.col("covered")
    brief = (
        offered.filter(pl.col("evidence") != "shown")
        .group_by(["what", "target", "evidence"], maintain_order=True)
        .agg(
            cells=pl.len(),
            covered=covered.mean(),
            least=covered.min(),
            most=covered.max(),
            within=covered.is_between(0.93, 0.97).sum(),
            below=(covered < 0.93).sum(),
            above=(covered > 0.97).sum(),
        )
    )
    rows = ["what", "target", "crowd", "kind"]
    by_crowd = [
        wide(part, ["crowd", "kind"], "covered").select(
            pl.lit(what).alias("what"), pl.lit(target).alias("target"), pl.all()
        )
        for (what, target), part in valid.group_by("what", "target", maintain_order=True)
    ]
    errors = cells.filter(
        (pl.col("target") == "these_topics")
        & (pl.col("what") == "difference")
        & (pl.col("evidence") != "shown")
    )
    widths = valid.filter(what="difference")
    return [
        brief,
        *by_crowd,
        wide(widths, rows, "width"),
        wide(errors, [*rows, "evidence"], "error"),
    ]


def wide(cells: pl.DataFrame, rows: list[str], values: str) -> pl.DataFrame:
    """Return the values with a column for each number of topics and share of the pool."""
    named = cells.with_columns(
        column=pl.format("{} × {} %", "topics", (100 * pl.col("share")).round().cast(pl.Int64))
    ).sort("topics", "share", maintain_order=True)
    return named.pivot(on="column", index=rows, values=values).sort(rows)


def markdown(table: pl.DataFrame) -> str:
    """Return a table in Markdown, with three decimals."""
    lines = [table.columns, ["---:" if dtype.is_numeric() else "---" for dtype in table.dtypes]]
    lines += [[_cell(value) for value in row] for row in table.iter_rows()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)

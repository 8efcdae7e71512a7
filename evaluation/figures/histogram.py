"""A histogram of H/N, the range of magnitudes in a unit."""

import polars as pl

from ..errors import InputError
from . import style
from .checked_tables import check_columns, refuse_repetition
from .figure import Figure, finish
from .panels import SINGLE_PANEL_HEIGHT, grid, name_axes, plain_axis, ratio_axis


@style.styled
def ratio_histogram(
    table: pl.DataFrame, *, ratio: str = "H ÷ N of a unit", width: style.Width = "column"
) -> Figure:
    """Draw a bar for each ratio, with the number of units as its height [Turpin et al. 2015].

    `table` comes from `magnitudes.ratio_histogram`: `ratio, units, hidden`. A bar whose `hidden` is true is
    not drawn; the title counts these bars. The ratio axis is logarithmic, but linear near 0. Raise
    `InputError` for a negative number of units, and for a ratio that occurs twice.
    """
    table = check_columns(table, numbers=("ratio", "units"), booleans=("hidden",))
    refuse_repetition(table, ("ratio",))
    if (table["units"] < 0).any():
        raise InputError("negative-units", "a row has a negative number of units; give 0 or more")
    table = table.sort("ratio").with_columns(pl.col("units").cast(pl.Int64))
    drawn, hidden = table.filter(~pl.col("hidden")), table.filter("hidden")
    gaps = table["ratio"].diff().drop_nulls()
    step = float(gaps.to_numpy().min()) if len(gaps) else 5.0
    drawing, (panel,) = grid(1, width, across=1, height=SINGLE_PANEL_HEIGHT[width])
    # The edge has a fixed width in points, so that a narrow bar stays visible among thousands of bars.
    fill = style.COLOURS[2]
    panel.bar(drawn["ratio"], drawn["units"], width=0.8 * step, color=fill, edgecolor=fill, linewidth=0.5)
    ends = table["ratio"] if drawn.is_empty() else drawn["ratio"]
    ratio_axis(panel, "x", step, ends[0], ends[-1])
    panel.grid(visible=False, axis="x")
    panel.set_ylim(bottom=0)
    if not hidden.is_empty():
        bars = f"{len(hidden)} smaller bar{'s' * (len(hidden) > 1)}"
        units = f"{hidden['units'].sum()} unit{'s' * (hidden['units'].sum() != 1)}"
        panel.set_title(f"{bars} ({units}) not drawn", loc="right")
    plain_axis(panel, "y", whole=True, room=1.6)
    name_axes(drawing, [panel], ratio, "units")
    return finish(drawing, table)

"""The distribution of the rank correlation over repeated random draws of the judgments."""

from typing import Final

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..arrays import FloatArray
from ..errors import InputError
from . import style
from .checked_tables import check_columns
from .figure import Figure, finish, set_titles
from .panels import SINGLE_PANEL_HEIGHT, grid, name_axes, plain_axis

BINS: Final = 40
_PANEL: Final = ("measure", "known")


@style.styled
def tau_distributions(
    table: pl.DataFrame, *, bins: int = BINS, across: int = 1, width: style.Width = "column"
) -> Figure:
    """Draw a histogram of τ for each measure and each known ranking, all on one x axis [Turpin et al. 2015].

    `table` comes from `analyses.tau_distributions`, with a row for each random draw: `measure, known, tau_b`
    (null if all systems were tied; the title counts these draws). The range of all values is divided into
    `bins` bars of equal width. The thick line in a panel is the median. With as many panels `across` as there
    are known rankings, each measure has a row of panels and each known ranking a column.

    The figure's table has a row for each bar: `measure, known, low, high, draws, median, without`. `low` and
    `high` are the bounds of the bar. Two columns describe the whole panel: `median`, and `without`, the
    number of draws without a value. Raise `InputError` for a τ outside −1 … 1, if no draw has a value, and
    for fewer than one panel across.
    """
    table = check_columns(table, texts=_PANEL, nullable=("tau_b",))
    if bins < 1:
        raise InputError("too-few-bins", "bins={bins} is too small; give 1 or more", bins=bins)
    if across < 1:
        raise InputError("too-few-panels", "across={across} is too small; give 1 or more", across=across)
    taus = table["tau_b"].drop_nulls().to_numpy()
    if not taus.size:
        raise InputError(
            "no-tau",
            "tau_b is empty in every row, so there is nothing to draw; give a value in at least one row",
        )
    if (np.abs(taus) > 1 + 1e-9).any():
        raise InputError(
            "tau-out-of-bounds", "tau_b is out of bounds in at least one row; give numbers from −1 to 1"
        )
    edges = _edges(float(taus.min()), float(taus.max()), bins)
    parts = table.partition_by(_PANEL, maintain_order=True)
    across = min(across, len(parts))
    several_high = 0.62 if across == 1 else 1.0
    height = SINGLE_PANEL_HEIGHT[width] if len(parts) == 1 else several_high
    drawing, panels = grid(len(parts), width, across=across, height=height, sharey=False)
    room = style.inches(width) / across
    bars = [_bars(part, edges) for part in parts]
    titles = [_draw(panel, rows, edges, room - 0.7) for panel, rows in zip(panels, bars, strict=True)]
    set_titles(drawing, panels, titles, lines=1, loc="left")
    for panel in panels:
        plain_axis(panel, "y", whole=True, room=max(0.6, height - 0.6))
    panels[0].set_xlim(edges[0], edges[-1])
    plain_axis(panels[0], "x", room=room - 0.6)
    name_axes(drawing, panels, "Kendall’s τ", "draws")
    return finish(drawing, pl.concat(bars))


def _edges(low: float, high: float, bins: int) -> FloatArray:
    """Return the bounds of the bars, which cover the range from `low` to `high`.

    If `low` equals `high`, the range is .4 wide and contains `low`. It stays within −1 … 1.
    """
    if high - low < 1e-9:
        low = min(max(low - 0.2, -1.0), 0.6)
        high = low + 0.4
    return np.linspace(low, high, bins + 1)


def _bars(part: pl.DataFrame, edges: FloatArray) -> pl.DataFrame:
    taus = part["tau_b"]
    # Rounding can put a τ just below the edge that it equals, so each τ is raised by a tiny amount.
    counts, _ = np.histogram(np.minimum(taus.drop_nulls().to_numpy() + 1e-9, edges[-1]), edges)
    bars = pl.DataFrame({"low": edges[:-1], "high": edges[1:], "draws": counts.astype(np.int64)})
    measure, known = part.select(_PANEL).row(0)
    return bars.select(
        pl.lit(measure).alias("measure"),
        pl.lit(known).alias("known"),
        *bars.columns,
        median=pl.lit(taus.median(), dtype=pl.Float64),
        without=pl.lit(taus.null_count(), dtype=pl.Int64),
    )


def _draw(panel: Axes, bars: pl.DataFrame, edges: FloatArray, room: float) -> str:
    """Draw the bars, and return the panel's title in lines of at most `room` inches."""
    fill = style.shades(2)[1]
    panel.stairs(
        bars["draws"].to_numpy(), edges, fill=True, facecolor=fill, edgecolor=style.INK, linewidth=0.5
    )
    measure, known, *_, median, without = bars.row(0)
    summary = "no value" if median is None else f"median {median:.2f}".replace("-", "−")
    if median is not None:
        panel.axvline(median, color=style.INK, linewidth=1.3)
    if without and median is not None:
        summary += f", {without} without τ"
    panel.set_ylim(0, 1.05 * max(1, *bars["draws"]))
    return style.wrap(f"{measure}, {known}: {summary}", room, most=250)

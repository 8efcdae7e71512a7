"""Reliability of measures: minority rate against proportion of ties, and swap rate against difference."""

import math
from collections.abc import Callable
from typing import Any, Final

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from ..comparison.subsets import caution
from ..errors import InputError
from . import style
from .checked_tables import check_columns, order_of, refuse_repetition
from .figure import LINE, Figure, finish, legend_above, make_room, panel_legend
from .panels import SINGLE_PANEL_HEIGHT, grid, name_axes, plain_axis, rate_axis

_LIMIT: Final[dict[str, Any]] = {"color": style.INK, "linestyle": (0, (4, 2)), "linewidth": 0.7}
_DRAWN_FROM: Final = ("topics", "size")
_LINES_PER_PANEL: Final = 4
"""The number of measures in each panel, if there are too many for one panel. All panels share their axes."""


@style.styled
def stability_curves(table: pl.DataFrame, *, limit: float = 0.05, width: style.Width = "column") -> Figure:
    """Draw each measure's minority rate against its proportion of ties [Sakai, AIRS 2005, 4.1].

    `table` comes from `analyses.stability_curves`: `measure, fuzziness, minority_rate, proportion_of_ties`.
    Each measure has a curve, with a point for each value of `fuzziness`. The nearer a curve is to the lower
    left corner, the better the measure. The dashed line is at `limit`. With the optional columns `topics,
    size`, a warning is written below the figure if there are few topics. Raise `InputError` for a rate
    outside 0 … 1.
    """
    numbers = ("fuzziness", "minority_rate", "proportion_of_ties", *_DRAWN_FROM)
    table = check_columns(table, texts=("measure",), numbers=numbers, optional=_DRAWN_FROM)
    refuse_repetition(table, ("measure", "fuzziness"))
    _refuse_rates(table, "minority_rate", "proportion_of_ties")
    table = table.sort("fuzziness", maintain_order=True)

    def settle(panel: Axes, room: float) -> None:
        plain_axis(panel, "x", room=room)
        plain_axis(panel, "y", room=1.6)

    drawing, panels = _draw_panels(table, "proportion_of_ties", "minority_rate", limit, width, settle)
    return _finish(drawing, panels, table, "proportion of ties", "minority rate")


@style.styled
def swap_rate_curves(table: pl.DataFrame, *, limit: float = 0.05, width: style.Width = "column") -> Figure:
    """Draw the swap rate, on a log axis, against the difference between two systems [Sakai 2004, 4.2].

    `table` comes from `analyses.discrimination_curves`: `measure, difference` (the bin's lower edge) and
    `swap_rate`. The swap rate is null for an empty bin, where the line has a gap. The axis of the swap rate
    is linear near 0, so that it can show 0. With the optional columns `topics, size`, a warning is written
    below the figure if there are few topics. The dashed line is at `limit`. Raise `InputError` for a rate
    outside 0 … 1.
    """
    numbers = ("difference", *_DRAWN_FROM)
    table = check_columns(
        table, texts=("measure",), numbers=numbers, nullable=("swap_rate",), optional=_DRAWN_FROM
    )
    refuse_repetition(table, ("measure", "difference"))
    _refuse_rates(table, "swap_rate")
    table = table.sort("difference", maintain_order=True)
    rates = table["swap_rate"].drop_nulls().to_numpy()

    def settle(panel: Axes, room: float) -> None:
        rate_axis(panel, "y", rates)
        plain_axis(panel, "x", room=room)

    drawing, panels = _draw_panels(table, "difference", "swap_rate", limit, width, settle)
    return _finish(drawing, panels, table, "difference of the means on the first subset", "swap rate")


def _finish(drawing: Drawing, panels: list[Axes], table: pl.DataFrame, x: str, y: str) -> Figure:
    """Label the axes and, if there are few topics, add a warning below them."""
    warning = ""
    if set(_DRAWN_FROM) <= set(table.columns):
        table = table.with_columns(pl.col(_DRAWN_FROM).cast(pl.Int64))
        topics, size = table.select(_DRAWN_FROM).row(0)
        warning = caution(topics, size)
    if warning:
        room = drawing.get_size_inches()[0] - 0.8
        lines = style.wrap(warning, room)
        make_room(drawing, panels, LINE * (lines.count("\n") + 1))
        x = f"{x}\n{lines}"
    name_axes(drawing, panels, x, y)
    return finish(drawing, table)


def _draw_panels(
    table: pl.DataFrame,
    x: str,
    y: str,
    limit: float,
    width: style.Width,
    settle: Callable[[Axes, float], None],
) -> tuple[Drawing, list[Axes]]:
    measures = order_of(table["measure"])
    number = math.ceil(
        len(measures) / (_LINES_PER_PANEL if len(measures) > style.MOST_SERIES else style.MOST_SERIES)
    )
    each = math.ceil(len(measures) / number)
    across = min(number, 2 if width == "column" else 4)
    room = style.inches(width) / across - 0.4
    drawing, panels = grid(
        number, width, across=across, height=SINGLE_PANEL_HEIGHT[width] if number == 1 else 2.1
    )
    tallest = 0.0
    for place, panel in enumerate(panels):
        handles: dict[str, Artist] = {}
        for line, measure in enumerate(measures[place * each : (place + 1) * each]):
            rows = table.filter(pl.col("measure") == measure)
            (handles[measure],) = panel.plot(rows[x], rows[y].to_numpy(), **style.series(line))
        panel.axhline(limit, zorder=0.9, **_LIMIT)
        if number > 1:
            tallest = max(tallest, panel_legend(panel, handles, room))
        else:
            legend_above(drawing, handles)
    make_room(drawing, panels, tallest - 2 * LINE - 0.1)
    for panel in panels:  # all panels share a scale, so this must wait until all are drawn
        settle(panel, room)
    return drawing, panels


def _refuse_rates(table: pl.DataFrame, *names: str) -> None:
    for name in names:
        if not table[name].drop_nulls().is_between(0, 1).all():
            raise InputError(
                "rate-out-of-bounds",
                "{column} is out of bounds in at least one row; give numbers from 0 to 1",
                column=name,
            )

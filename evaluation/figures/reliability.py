"""How far measures can be relied on: minority rate by ties, and swap rate by difference."""

import math
from collections.abc import Callable
from typing import Any, Final

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from evaluation.errors import InputError
from evaluation.figures import style
from evaluation.figures.figure import Figure, finished, legend_above, panel_legend
from evaluation.figures.panels import ALONE, grid, name_axes, plain_axis, rate_axis
from evaluation.figures.tables import needed, order_of, refuse_repetition

_LIMIT: Final[dict[str, Any]] = {"color": style.INK, "linestyle": (0, (4, 2)), "linewidth": 0.7}
_EACH: Final = 4
"""Measures in a panel where there are more than one panel holds; all panels have the same axes."""


@style.styled
def stability_curves(table: pl.DataFrame, *, limit: float = 0.05, width: style.Width = "column") -> Figure:
    """Minority rate by proportion of ties, one point for each value of f [Sakai, AIRS 2005, 4.1].

    `table` is that of `analyses.stability_curves`: `measure, fuzziness, minority_rate, proportion_of_ties`.
    The nearer to the lower left corner, the better the measure; the dashed line is at `limit`. Raises
    `InputError` for a rate outside 0 … 1.
    """
    table = needed(table, texts=("measure",), numbers=("fuzziness", "minority_rate", "proportion_of_ties"))
    refuse_repetition(table, ("measure", "fuzziness"))
    _refuse_rates(table, "minority_rate", "proportion_of_ties")
    table = table.sort("fuzziness", maintain_order=True)

    def settle(panel: Axes, room: float) -> None:
        plain_axis(panel, "x", room=room)
        plain_axis(panel, "y", room=1.6)

    drawing, panels = _drawn(table, "proportion_of_ties", "minority_rate", limit, width, settle)
    name_axes(drawing, panels, "proportion of ties", "minority rate")
    return finished(drawing, table)


@style.styled
def swap_rate_curves(table: pl.DataFrame, *, limit: float = 0.05, width: style.Width = "column") -> Figure:
    """Swap rate by difference of two systems, on a logarithmic axis with a place for 0 [Sakai 2004, 4.2].

    `table` is that of `analyses.discrimination_curves`: `measure, difference` (the bin's lower edge) and
    `swap_rate`, null for an empty bin, which breaks the line. The dashed line is at `limit`. Raises
    `InputError` for a rate outside 0 … 1.
    """
    table = needed(table, texts=("measure",), numbers=("difference",), gaps=("swap_rate",))
    refuse_repetition(table, ("measure", "difference"))
    _refuse_rates(table, "swap_rate")
    table = table.sort("difference", maintain_order=True)
    rates = table["swap_rate"].drop_nulls().to_numpy()

    def settle(panel: Axes, room: float) -> None:
        rate_axis(panel, "y", rates)
        plain_axis(panel, "x", room=room)

    drawing, panels = _drawn(table, "difference", "swap_rate", limit, width, settle)
    name_axes(drawing, panels, "difference of the means on the first subset", "swap rate")
    return finished(drawing, table)


def _drawn(
    table: pl.DataFrame,
    x: str,
    y: str,
    limit: float,
    width: style.Width,
    settle: Callable[[Axes, float], None],
) -> tuple[Drawing, list[Axes]]:
    measures = order_of(table["measure"])
    number = math.ceil(len(measures) / (_EACH if len(measures) > style.MOST_SERIES else style.MOST_SERIES))
    each = math.ceil(len(measures) / number)
    across = min(number, 2 if width == "column" else 4)
    room = style.inches(width) / across - 0.4
    drawing, panels = grid(number, width, across=across, height=ALONE[width] if number == 1 else 2.1)
    for place, panel in enumerate(panels):
        handles: dict[str, Artist] = {}
        for line, measure in enumerate(measures[place * each : (place + 1) * each]):
            rows = table.filter(pl.col("measure") == measure)
            (handles[measure],) = panel.plot(rows[x], rows[y].to_numpy(), **style.series(line))
        panel.axhline(limit, zorder=0.9, **_LIMIT)
        if number > 1:
            panel_legend(panel, handles, room)
        else:
            legend_above(drawing, handles)
    for panel in panels:  # after all are drawn, as they have one scale
        settle(panel, room)
    return drawing, panels


def _refuse_rates(table: pl.DataFrame, *names: str) -> None:
    for name in names:
        if not table[name].drop_nulls().is_between(0, 1).all():
            raise InputError(f"{name} must be between 0 and 1 in every row")

"""The means of runs with their confidence intervals, in a panel for each measure."""

import math
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes

from ..errors import InputError, shown
from . import style
from .checked_tables import check_columns, order_of, refuse_repetition
from .figure import Figure, finish, set_titles
from .panels import grid, name_axes, plain_axis

_ROW: Final = 0.13
_AROUND: Final = 0.55
_TALLEST: Final = 7.5
_ACROSS: Final = {"column": 2, "page": 4}
_POINT: Final[dict[str, Any]] = {"linestyle": "none", "marker": "o", "color": style.COLOURS[2]}
_HOLLOW: Final[dict[str, Any]] = {**_POINT, "markerfacecolor": "white"}
_BASELINE: Final[dict[str, Any]] = {"color": style.COLOURS[1], "linestyle": (0, (4, 2)), "linewidth": 0.8}


@style.styled
def mean_intervals(
    table: pl.DataFrame,
    *,
    baseline: str | None = None,
    level: float = 0.95,
    width: style.Width = "column",
) -> Figure:
    """Draw the mean of each run with its confidence interval, in a panel for each measure.

    `table` is the `means` table of a comparison: `measure, run, mean, low, high`. A run is on the same line
    in all panels; lines are in the order of the table. If the table has the column `in_top_set`, the points
    of runs for which it is false are hollow. A run without a mean (null) has no point, and a run without
    bounds (null) has no interval. A dashed line marks the mean of the run `baseline`. `level` is used only in
    the label below the axis. If there are too many runs for a page, only some of them are named; the figure's
    table lists all runs.

    Raise `InputError` if `low` is above `high`, if only one of them is given, or if an interval has no mean.
    Also raise `InputError` if a run occurs twice for a measure, and for a baseline that is not one of the
    runs.
    """
    table = check_columns(table, texts=("measure", "run"), nullable=("mean", "low", "high"))
    refuse_repetition(table, ("measure", "run"))
    if (table["low"].is_null() != table["high"].is_null()).any() or (
        (table["low"] > table["high"]) | (table["mean"].is_null() & table["low"].is_not_null())
    ).any():
        raise InputError(
            "interval-out-of-order",
            "one row has only one bound, has bounds without a mean, or has a low bound above the high bound; "
            "give both bounds and a mean, or leave both bounds empty",
        )
    runs = order_of(table["run"])
    if baseline is not None and baseline not in runs:
        raise InputError(
            "baseline-not-drawn",
            "the table has no run named {baseline} to use as the baseline; choose from {known}",
            baseline=shown(baseline),
            known=", ".join(runs),
        )
    parts = table.partition_by("measure", maintain_order=True)
    across = min(len(parts), _ACROSS[width])
    height = min(_TALLEST, max(1.0, _AROUND + _ROW * len(runs)))
    drawing, panels = grid(len(parts), width, across=across, height=height, sharex=False)
    names = min(1.1, max(style.inches_of(_label(run)) for run in runs))
    room = (style.inches(width) - names - 0.3) / across - 0.2
    for panel, part in zip(panels, parts, strict=True):
        _draw(panel, part, runs, baseline)
        plain_axis(panel, "x", room=room)
    _name_runs(panels[0], runs, every=math.ceil(_ROW * len(runs) / (height - _AROUND)))
    set_titles(drawing, panels, [style.wrap(part["measure"][0], room) for part in parts], lines=1)
    has_interval = table["low"].null_count() < len(table)
    name_axes(
        drawing, panels, "mean" + (f" and its {level * 100:g} % interval" if has_interval else ""), "run"
    )
    return finish(drawing, table)


def _draw(panel: Axes, part: pl.DataFrame, runs: list[str], baseline: str | None) -> None:
    tops = part["in_top_set"] if "in_top_set" in part.columns else [None] * part.height
    rows = part.select("run", "mean", "low", "high").iter_rows()
    for (run, mean, low, high), is_in_top_set in zip(rows, tops, strict=True):
        place = runs.index(run)
        if mean is not None and run == baseline:
            panel.axvline(mean, zorder=1.5, **_BASELINE)
        if low is not None:
            panel.plot([low, high], [place, place], color=style.INK, linewidth=0.8)
        if mean is not None:
            panel.plot([mean], [place], **(_HOLLOW if is_in_top_set is False else _POINT))


def _label(run: str) -> str:
    return style.shorten(run, 18)


def _name_runs(panel: Axes, runs: list[str], every: int) -> None:
    """Write the name of every `every`-th run, and of the last run, on the left."""
    last = len(runs) - 1
    named = [*range(0, last - every + 1, every), last]
    panel.set_ylim(last + 0.7, -0.7)
    panel.set_yticks(named, [_label(runs[place]) for place in named])
    panel.tick_params(axis="y", length=0)

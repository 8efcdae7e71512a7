"""Curves of cumulated gain by rank, for each run and for the ideal list."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ..errors import InputError, shown
from . import style
from .checked_tables import check_columns, order_of, refuse_repetition
from .figure import Figure, finish, legend_above, set_titles
from .panels import SINGLE_PANEL_HEIGHT, grid, name_axes, plain_axis

_PANEL: Final = ("scheme", "measure")
MOST_NAMED: Final = style.MOST_SERIES - 1
"""The largest number of runs that can have their own colours. One of the eight colours is for the ideal."""
IDEAL: Final = "ideal"
_IDEAL: Final[dict[str, Any]] = {"color": style.INK, "linestyle": "-", "linewidth": 1.6}
_REST: Final[dict[str, Any]] = {"color": style.FAINT, "linestyle": "-", "linewidth": 0.4, "zorder": 1.5}


@style.styled
def gain_curves(
    table: pl.DataFrame,
    *,
    named: Sequence[str] | None = None,
    width: style.Width = "column",
) -> Figure:
    """Draw CG, DCG, nCG or nDCG by rank, with the ideal as a thick line [Järvelin & Kekäläinen, TOIS 2002].

    `table` comes from `analyses.gain_curves`: `scheme, measure, run, rank, value, ideal` (not drawn if null).
    Each measure under each scheme has its own panel. The runs in `named` have their own colours; all others
    are thin and grey. By default, if there are at most seven runs, all are named. If there are more, three
    are named: the best, the median and the worst run, by their values at the last rank in the first panel.

    Raise `InputError` for more than seven named runs, for a name that no run has, and for a run named
    `ideal`. Also raise `InputError` if the ideal at a rank differs between the runs in a panel. The ideal
    depends only on the topics, so a difference shows that the runs were averaged over different topics.
    """
    table = check_columns(table, texts=(*_PANEL, "run"), numbers=("rank", "value"), nullable=("ideal",))
    refuse_repetition(table, (*_PANEL, "run", "rank"))
    parts = table.partition_by(_PANEL, maintain_order=True)
    for part in parts:
        _refuse_two_ideals(part)
    if (table["run"] == IDEAL).any():
        raise InputError(
            "run-named-ideal",
            "a run is named “ideal”, but the legend uses this name for the ideal list; rename the run",
        )
    runs_named = _named(parts[0], order_of(table["run"]), named)
    across = min(len(parts), 2 if width == "column" else 4)
    height = SINGLE_PANEL_HEIGHT[width] if len(parts) == 1 else 1.7
    drawing, panels = grid(len(parts), width, across=across, height=height, sharey=False)
    room = style.inches(width) / across - (0.37 if across > 1 else 0.8)
    handles: dict[str, Artist] = {}
    for panel, part in zip(panels, parts, strict=True):
        handles |= _draw(panel, part, runs_named)
        plain_axis(panel, "x", whole=True, room=room)
        plain_axis(panel, "y", room=height - 0.6)
    titles = ["\n".join(style.wrap(part[name][0], room) for name in reversed(_PANEL)) for part in parts]
    set_titles(drawing, panels, titles, lines=2)
    measures = order_of(table["measure"])
    name_axes(drawing, panels, "rank", measures[0] if len(measures) == 1 else "value")
    legend_above(drawing, handles)
    return finish(drawing, table)


def _draw(panel: Axes, part: pl.DataFrame, runs_named: Sequence[str]) -> dict[str, Artist]:
    handles: dict[str, Artist] = {}
    curves = {run: rows.sort("rank") for (run,), rows in part.group_by("run", maintain_order=True)}
    ideal = (
        part.filter(pl.col("ideal").is_not_null())
        .unique("rank", keep="first", maintain_order=True)
        .sort("rank")
    )
    if not ideal.is_empty():
        (handles[IDEAL],) = panel.plot(ideal["rank"], ideal["ideal"], **_IDEAL)
        if len(ideal) == 1:
            panel.plot(ideal["rank"], ideal["ideal"], color=style.INK, marker="_", markersize=8)
            panel.set_xlim(ideal["rank"][0] - 0.9, ideal["rank"][0] + 0.9)
    for place, run in enumerate(runs_named):
        if run in curves:
            rows = curves[run]
            every = max(1, len(rows) // 8)
            handles[run], *_ = panel.plot(
                rows["rank"], rows["value"], markevery=(place % every, every), **style.series(place + 1)
            )
    others = [run for run in curves if run not in runs_named]
    for run in others:
        (line,) = panel.plot(curves[run]["rank"], curves[run]["value"], **_REST)
        handles[f"{len(others)} other run{'s' * (len(others) > 1)}"] = line
    return handles


def _named(part: pl.DataFrame, runs: list[str], named: Sequence[str] | None) -> list[str]:
    if named is None:
        if len(runs) <= MOST_NAMED:
            return runs
        last = part.filter(pl.col("rank") == pl.col("rank").max())
        last = last.sort("value", "run", descending=[True, False])
        return [last["run"][place] for place in sorted({0, len(last) // 2, len(last) - 1})]
    if unknown := [name for name in named if name not in runs]:
        raise InputError(
            "unknown-run",
            "the table has no run named {run}; choose from {known}",
            run=shown(unknown[0]),
            known=", ".join(runs),
        )
    if len(named) > MOST_NAMED:
        raise InputError(
            "too-many-named-runs",
            "the figure names {number} runs, too many for readers to tell apart; name at most {most}",
            number=len(named),
            most=MOST_NAMED,
        )
    return list(dict.fromkeys(named))


def _refuse_two_ideals(part: pl.DataFrame) -> None:
    ideal = pl.col("ideal")
    spread = part.group_by("rank").agg(apart=ideal.max() - ideal.min(), ideal=ideal.max()).sort("rank")
    wrong = (spread["apart"] > 1e-9 * spread["ideal"]).fill_null(False)
    if wrong.any():
        rank = spread["rank"][wrong.arg_max() or 0]
        raise InputError(
            "several-ideals",
            "the value of the ideal list at rank {rank} differs between runs; use the same topics for the "
            "means of all runs",
            rank=f"{rank:g}",
        )

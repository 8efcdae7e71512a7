"""Scatter plots of systems: means based on the crowd's gains and on known gains, with τ_b."""

from typing import Any, Final

import numpy as np
import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ..comparison.correlation import tau_b
from . import style
from .checked_tables import check_columns, refuse_repetition
from .figure import Figure, finish, legend_above, set_titles
from .labels import MOST_NAMES, name_points
from .panels import grid, name_axes, plain_axis

_PANEL: Final = ("judged", "known", "measure")
_TOPS: Final = ("known_top", "judged_top")
_POINT: Final[dict[str, Any]] = {"linestyle": "none", "markersize": 4.0, "markeredgewidth": 0.7}
_KINDS: Final[dict[tuple[bool, bool], tuple[str, dict[str, Any]]]] = {
    (False, False): (
        "neither top set",
        {"marker": "o", "color": style.COLOURS[2], "markerfacecolor": "white"},
    ),
    (True, False): ("top set along x only", {"marker": ">", "color": style.COLOURS[3]}),
    (False, True): ("top set along y only", {"marker": "^", "color": style.COLOURS[1]}),
    (True, True): ("both top sets", {"marker": "s", "color": style.INK}),
}


@style.styled
def system_scatter(
    table: pl.DataFrame,
    *,
    x: str = "by known judgments",
    y: str = "by magnitudes",
    width: style.Width = "column",
) -> Figure:
    """Draw each system as a point, with Kendall's τ_b above the panel [Turpin et al. 2015].

    `table` comes from `analyses.system_scatter`: `judged, known, measure, run, judged_value, known_value` and
    optionally `judged_top, known_top`, which decide the markers. Each combination of `judged`, `known` and
    `measure` has its own panel, with the known judgments along x. A run is drawn only if it has both values.
    If a panel has up to 20 systems, their names are beside the points.

    The figure's table names all systems. It also has the column `tau_b`, which is null if τ_b is undefined.
    """
    table = check_columns(
        table,
        texts=(*_PANEL, "run"),
        nullable=("judged_value", "known_value"),
        booleans=_TOPS,
        optional=_TOPS,
    )
    refuse_repetition(table, (*_PANEL, "run"))
    parts = table.partition_by(_PANEL, maintain_order=True)
    systems = max(len(part) for part in parts)
    beside = 1 if 6 < systems <= MOST_NAMES else 2  # the names of more than six systems need a wide panel
    across = min(len(parts), beside if width == "column" else 2 * beside)
    height = min(2.4 if beside == 1 else 3.0, style.inches(width) / across)
    drawing, panels = grid(len(parts), width, across=across, height=height, sharex=False, sharey=False)
    room = style.inches(width) / across - (0.37 if across > 1 else 0.8)
    handles: dict[str, Artist] = {}
    tables, titles = [], []
    for panel, part in zip(panels, parts, strict=True):
        known = part.drop_nulls(["judged_value", "known_value"])
        tau = tau_b(known["known_value"].to_numpy(), known["judged_value"].to_numpy())
        handles |= _draw(panel, known)
        titles.append(_title(part, tau, room))
        for which in ("x", "y"):
            plain_axis(panel, which, room=room if which == "x" else height - 0.6)
        tables.append(part.with_columns(tau_b=pl.lit(tau, dtype=pl.Float64)))
    set_titles(drawing, panels, titles, lines=3)
    name_axes(drawing, panels, x, y)
    if set(_TOPS) <= set(table.columns) and handles:
        legend_above(drawing, handles)
    figure = finish(drawing, pl.concat(tables))
    for panel, part in zip(panels, parts, strict=True):
        known = part.drop_nulls(["judged_value", "known_value"])
        if len(known) <= MOST_NAMES:
            name_points(
                panel, known["run"].to_list(), *known.select("known_value", "judged_value").to_numpy().T
            )
    return figure


def _draw(panel: Axes, known: pl.DataFrame) -> dict[str, Artist]:
    """Draw the points, and return a legend handle for each kind of point that occurs."""
    handles: dict[str, Artist] = {}
    top = np.zeros((2, len(known)), dtype=np.bool_)
    for row, name in zip(top, _TOPS, strict=True):
        row[:] = known[name].to_numpy() if name in known.columns else False
    for kind, (name, looks) in _KINDS.items():
        rows = known.filter(pl.Series((top == np.array(kind)[:, None]).all(axis=0), dtype=pl.Boolean))
        if not rows.is_empty():
            (handles[name],) = panel.plot(rows["known_value"], rows["judged_value"], **_POINT, **looks)
    panel.margins(0.06)
    return handles


def _title(part: pl.DataFrame, tau: float | None, room: float) -> str:
    """Return a panel's title: the measure, the two kinds of judgments, and the correlation of the means."""
    judged, known, measure = part.select(_PANEL).row(0)
    correlation = "no τ" if tau is None else f"τ = {tau:.2f}".replace("-", "−")
    return f"{style.wrap(measure, room)}\n{style.wrap(f'{judged}, {known}', room)}\n{correlation}"

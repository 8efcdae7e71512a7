"""Means of runs, ordered by one measure. Rises show where another measure ranks the runs differently."""

from typing import Any, Final

import polars as pl

from . import style
from .checked_tables import check_columns, order_of, refuse_repetition
from .figure import Figure, finish, set_titles
from .panels import SINGLE_PANEL_HEIGHT, grid, name_axes, plain_axis

_ACROSS: Final = {"column": 2, "page": 4}
_FEW: Final = 30
"""Up to this number of runs, each run gets a dot."""
_RISE: Final[dict[str, Any]] = {"linestyle": "none", "marker": "^", "markersize": 1.8}


@style.styled
def rank_changes(table: pl.DataFrame, *, by: str = "relaxed AP", width: style.Width = "column") -> Figure:
    """Draw the runs' means by each measure, with the runs along x from best to worst [Sakai 2004].

    `by` names the measure that orders the runs. `table` comes from `analyses.rank_changes`: `measure, number`
    (1 is the best run), `run, value, rise`. `rise` is true if the run has a higher mean than the run
    before it, which contradicts the order that `by` gives. Each measure has its own panel and scale. A marker
    shows every rise, and the title counts the rises. Raise `InputError` if a `number` or a `run` occurs twice
    for a measure.
    """
    table = check_columns(table, texts=("measure", "run"), numbers=("number", "value"), booleans=("rise",))
    refuse_repetition(table, ("measure", "number"))
    refuse_repetition(table, ("measure", "run"))
    table = table.sort("number", maintain_order=True).with_columns(pl.col("number").cast(pl.Int64))
    measures = order_of(table["measure"])
    across = min(len(measures), _ACROSS[width] + (len(measures) > 12))
    room = style.inches(width) / across - (0.37 if across > 1 else 0.8)
    height = SINGLE_PANEL_HEIGHT[width] if len(measures) == 1 else 1.3
    drawing, panels = grid(len(measures), width, across=across, height=height, sharey=False)
    titles = []
    for panel, measure in zip(panels, measures, strict=True):
        rows = table.filter(pl.col("measure") == measure)
        risen = rows.filter("rise")
        dots = "." if len(rows) <= _FEW else None
        panel.plot(rows["number"], rows["value"], color=style.COLOURS[2], linewidth=0.8, marker=dots)
        panel.plot(risen["number"], risen["value"], color=style.COLOURS[1], **_RISE)
        count = f"{len(risen)} rise{'s' * (len(risen) != 1)}"
        titles.append(f"{style.wrap(measure, room)}\n{count}")
    set_titles(drawing, panels, titles, lines=2)
    for panel in panels:
        plain_axis(panel, "x", whole=True, room=room)
        plain_axis(panel, "y", room=height - 0.4)
    name_axes(drawing, panels, f"runs by {by}, the best first", "mean over topics")
    return finish(drawing, table)

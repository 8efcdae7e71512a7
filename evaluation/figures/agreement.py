"""Pairwise agreement: a dot for each topic and pair of grades."""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..errors import InputError
from . import style
from .checked_tables import check_columns, refuse_repetition
from .figure import Figure, finish, set_titles
from .panels import SINGLE_PANEL_HEIGHT, format_number, grid, name_axes, plain_axis

Pair = tuple[float, float]
_SPREAD: Final = 0.6
"""The width of the strip in which the dots of a pair of grades are, as a share of the pair's place."""
_MOST_LEVEL_LABELS: Final = 8
_DOT: Final[dict[str, Any]] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 2.4,
    "markeredgewidth": 0.5,
    "markerfacecolor": "white",
    "color": style.COLOURS[2],
}


@style.styled
def pair_agreement(
    table: pl.DataFrame, *, names: Mapping[float, str] | None = None, width: style.Width = "column"
) -> Figure:
    """Draw a dot for each topic and pair of grades, at the share of pairs in the same order [Turpin 2015].

    `table` comes from `magnitudes.pairwise_agreement`, whose ties count as agreement: `topic_id, lower,
    higher, agree` and optionally `comparison`. Each comparison has its own panel. The dots of a pair of
    grades are side by side in the order of the topics, and a line is their mean. The mean of all dots is
    above the panel. `names` maps grades to labels, as `NMRH` does.

    The figure's table also has the columns `mean`, of the pair of grades, and `overall`, of the comparison.
    Raise `InputError` for a share outside 0 … 1.
    """
    table = check_columns(
        table,
        texts=("comparison", "topic_id"),
        numbers=("lower", "higher", "agree"),
        optional=("comparison",),
    )
    if "comparison" not in table.columns:
        table = table.select(pl.lit("").alias("comparison"), pl.all())
    refuse_repetition(table, ("comparison", "topic_id", "lower", "higher"))
    if not table["agree"].is_between(0, 1).all():
        raise InputError(
            "share-out-of-bounds", "agree is out of bounds in at least one row; give numbers from 0 to 1"
        )
    agree = pl.col("agree")
    table = table.with_columns(
        mean=agree.mean().over("comparison", "lower", "higher"), overall=agree.mean().over("comparison")
    )
    parts = table.partition_by("comparison", maintain_order=True)
    across = 1 if width == "column" else min(3, len(parts))
    height = SINGLE_PANEL_HEIGHT[width] if len(parts) == 1 else 1.9
    drawing, panels = grid(len(parts), width, across=across, height=height)
    pairs: list[Pair] = table.select("lower", "higher").unique().sort("lower", "higher").rows()
    for panel, part in zip(panels, parts, strict=True):
        _draw(panel, part, pairs)
    room = style.inches(width) / across - (0.45 if across > 1 else 0.9)
    set_titles(drawing, panels, [_title(part, room) for part in parts], lines=1)
    _axes(panels, pairs, names, height)
    name_axes(drawing, panels, "pair of grades", "share of pairs in the same order")
    return finish(drawing, table)


def _draw(panel: Axes, part: pl.DataFrame, pairs: list[Pair]) -> None:
    topics = part["topic_id"].unique().sort().to_list()
    shifts = dict(zip(topics, np.linspace(-_SPREAD / 2, _SPREAD / 2, len(topics)), strict=True))
    if len(topics) == 1:
        shifts = dict.fromkeys(topics, 0.0)
    for place, (lower, higher) in enumerate(pairs):
        rows = part.filter(lower=lower, higher=higher)
        if rows.is_empty():
            continue
        panel.plot([place + shifts[topic] for topic in rows["topic_id"]], rows["agree"], **_DOT)
        mean = rows["mean"][0]
        panel.plot([place - 0.4, place + 0.4], [mean, mean], color=style.INK, linewidth=1.3)


def _title(part: pl.DataFrame, room: float) -> str:
    mean = f"mean {part['overall'][0]:.2f}"
    name = part["comparison"][0]
    return f"{style.wrap(name, room)}\n{mean}" if name else mean


def _axes(panels: list[Axes], pairs: list[Pair], names: Mapping[float, str] | None, height: float) -> None:
    """Set up axes from 0 to 1 for the shares, with the pairs of grades along x."""
    shown = {
        grade: style.shorten((names or {}).get(grade, format_number(grade)), 8)
        for grade in {grade for pair in pairs for grade in pair}
    }
    labels = [f"{shown[lower]}–{shown[higher]}" for lower, higher in pairs]
    every = math.ceil(len(pairs) / (4 * _MOST_LEVEL_LABELS))
    for panel in panels:
        panel.grid(visible=False, axis="x")
        panel.set_xlim(-0.6, len(pairs) - 0.4)
        panel.set_xticks(range(0, len(pairs), every), labels[::every])
        panel.tick_params(axis="x", length=0, rotation=90 if len(pairs) > _MOST_LEVEL_LABELS else 0)
        plain_axis(panel, "y", room=height - 0.6)
        panel.set_ylim(-0.03, 1.03)

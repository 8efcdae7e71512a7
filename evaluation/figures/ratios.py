"""Ratios between the values of highest-grade and lower-grade documents, topic by topic."""

import math
from typing import Final

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from ..errors import InputError
from . import style
from .boxes import BOX_COLUMNS, draw_box, refuse_box_out_of_order
from .checked_tables import check_columns, refuse_repetition
from .figure import Figure, finish
from .panels import format_number, grid, log_axis, name_axes

_ROW: Final = 0.13
_TALLEST: Final = 8.0
_COUNTS: Final = ("pairs", "above")


@style.styled
def grade_ratios(
    table: pl.DataFrame,
    *,
    ratio: str = "H : {R, M}",
    limit: float = 3.5,
    all_topics: str = "all",
    width: style.Width = "column",
) -> Figure:
    """Draw each topic's median ratio on a log axis, with counts on the right [Turpin et al. 2015].

    `table` comes from `magnitudes.grade_ratios`: `topic_id, pairs, median, above`. The row of the topic
    `all_topics` pools all topics; it is drawn last, as a square. The dashed line is at 1, where the two
    documents of a pair have the same value. The counts on the right, such as "3 of 8", are the number of
    pairs above the limit and the number of all pairs. `limit` must be the limit with which the table was
    computed. A topic without a pair has no point.

    Raise `InputError` for a median that is not above 0, for a negative count, and for more pairs above the
    limit than pairs in total.
    """
    table = check_columns(
        table, texts=("topic_id",), numbers=_COUNTS, nullable=("median",), above_zero=("median",)
    )
    rows = _checked(table, all_topics)
    drawing, panel, height = _panel_of(rows, width)
    for place, (topic, median) in enumerate(rows.select("topic_id", "median").iter_rows()):
        if median is not None:
            looks = style.series(1 if topic == all_topics else 2) | {"linestyle": "none"}
            panel.plot([median], [place], **looks)
    log_axis(panel, "x", [1.0, *rows["median"]], most=6 if width == "column" else 10)
    _label_rows(panel, rows, height, limit)
    name_axes(drawing, [panel], f"median ratio {ratio}", "topic")
    return finish(drawing, rows)


@style.styled
def ratio_boxes(
    table: pl.DataFrame,
    *,
    ratio: str = "H : {R, M}",
    limit: float = 3.5,
    all_topics: str = "all",
    width: style.Width = "column",
) -> Figure:
    """Draw a box plot of each topic's ratios on a log axis, with counts on the right [Turpin et al. 2015].

    `table` comes from `analyses.ratio_boxes`: `topic_id, pairs, low, q1, median, q3, high, above`. The box of
    the topic `all_topics`, which pools all topics, is drawn last and darker. Ratios beyond the whiskers are
    not drawn. The dashed line, the counts and `limit` are those of `grade_ratios`. A topic without a pair has
    no box.

    Raise `InputError` for a box whose numbers are not above 0 and in ascending order, for a negative count,
    and for more pairs above the limit than pairs in total.
    """
    table = check_columns(
        table, texts=("topic_id",), numbers=_COUNTS, nullable=BOX_COLUMNS, above_zero=BOX_COLUMNS
    )
    refuse_box_out_of_order(table)
    rows = _checked(table, all_topics)
    drawing, panel, height = _panel_of(rows, width)
    light, dark = style.shades(2)
    for place, row in enumerate(rows.iter_rows(named=True)):
        if row["median"] is not None:
            fill = dark if row["topic_id"] == all_topics else light
            draw_box(panel, row, place, fill, horizontal=True)
    ends = [value for name in ("low", "high") for value in rows[name]]
    log_axis(panel, "x", [1.0, *ends], most=6 if width == "column" else 10)
    _label_rows(panel, rows, height, limit)
    name_axes(drawing, [panel], f"ratio {ratio}", "topic")
    return finish(drawing, rows)


def _checked(table: pl.DataFrame, all_topics: str) -> pl.DataFrame:
    """Return the rows with whole counts and the row of all topics last. Raise `InputError` for bad counts."""
    refuse_repetition(table, ("topic_id",))
    if (table["above"] > table["pairs"]).any() or (table["pairs"] < 0).any() or (table["above"] < 0).any():
        raise InputError(
            "impossible-pairs",
            "a row has a negative count, or more pairs above the limit than pairs in total; correct "
            "the columns “pairs” and “above”",
        )
    table = table.with_columns(pl.col(_COUNTS).cast(pl.Int64))
    return pl.concat([table.filter(pl.col("topic_id") != all_topics), table.filter(topic_id=all_topics)])


def _panel_of(rows: pl.DataFrame, width: style.Width) -> tuple[Drawing, Axes, float]:
    """Return a drawing for these rows, its only panel with a dashed line at 1, and the panel's height."""
    height = min(_TALLEST, max(1.2, 0.5 + _ROW * len(rows)))
    drawing, (panel,) = grid(1, width, across=1, height=height)
    panel.axvline(1, color=style.INK, linestyle=(0, (4, 2)), linewidth=0.8)
    return drawing, panel, height


def _label_rows(panel: Axes, rows: pl.DataFrame, height: float, limit: float) -> None:
    """Label as many rows as fit, and the last, with the topic on the left and the counts on the right."""
    every = math.ceil(_ROW * len(rows) / (height - 0.5))
    last = len(rows) - 1
    named = [*range(0, last - every + 1, every), last]
    panel.set_ylim(last + 0.7, -0.7)
    panel.set_yticks(named, [style.shorten(rows["topic_id"][place], 18) for place in named])
    panel.tick_params(axis="y", length=0)
    for place in named:
        panel.text(
            1.02,
            place,
            f"{rows['above'][place]} of {rows['pairs'][place]}",
            transform=panel.get_yaxis_transform(),
            va="center",
            fontsize=style.FONT_SIZE - 1,
        )
    panel.set_title(f"pairs above {format_number(limit)}", loc="right")

"""Ratios between the values of highest-grade and lower-grade documents, topic by topic."""

import math

import polars as pl
from matplotlib.axes import Axes

from ..errors import InputError
from . import style
from .checked_tables import check_columns, refuse_repetition
from .figure import Figure, finish
from .panels import format_number, grid, log_axis, name_axes

_ROW = 0.13
_TALLEST = 8.0


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
        table, texts=("topic_id",), numbers=("pairs", "above"), nullable=("median",), above_zero=("median",)
    )
    refuse_repetition(table, ("topic_id",))
    if (table["above"] > table["pairs"]).any() or (table["pairs"] < 0).any() or (table["above"] < 0).any():
        raise InputError(
            "impossible-pairs",
            "a row has a negative count, or more pairs above the limit than pairs in total; correct "
            "the columns “pairs” and “above”",
        )
    table = table.with_columns(pl.col("pairs", "above").cast(pl.Int64))
    rows = pl.concat([table.filter(pl.col("topic_id") != all_topics), table.filter(topic_id=all_topics)])
    height = min(_TALLEST, max(1.2, 0.5 + _ROW * len(rows)))
    drawing, (panel,) = grid(1, width, across=1, height=height)
    panel.axvline(1, color=style.INK, linestyle=(0, (4, 2)), linewidth=0.8)
    for place, (topic, median) in enumerate(rows.select("topic_id", "median").iter_rows()):
        if median is not None:
            looks = style.series(1 if topic == all_topics else 2) | {"linestyle": "none"}
            panel.plot([median], [place], **looks)
    log_axis(panel, "x", [1.0, *rows["median"]], most=6 if width == "column" else 10)
    _rows(panel, rows, every=math.ceil(_ROW * len(rows) / (height - 0.5)))
    panel.set_title(f"pairs above {format_number(limit)}", loc="right")
    name_axes(drawing, [panel], f"median ratio {ratio}", "topic")
    return finish(drawing, rows)


def _rows(panel: Axes, rows: pl.DataFrame, every: int) -> None:
    """Label every `every`-th row and the last row, with the topic on the left and the counts on the right."""
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

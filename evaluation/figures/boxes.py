"""Box plots by grade: magnitudes overall and by topic, and gain profiles compared with the usual gains."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ..errors import InputError, shown
from . import style
from .checked_tables import check_columns, refuse_repetition
from .figure import Figure, finish, legend_above
from .panels import (
    SINGLE_PANEL_HEIGHT,
    format_number,
    grid,
    log_axis,
    name_axes,
    plain_axis,
)

NMRH: Final[Mapping[float, str]] = {0: "N", 1: "M", 2: "R", 3: "H"}
"""Short names of the grades: not relevant, marginally relevant, relevant and highly relevant."""
BOX_COLUMNS: Final = ("low", "q1", "median", "q3", "high")
_LINE: Final[dict[str, Any]] = {"color": style.INK, "linewidth": 0.7}
_OUTLIER: Final[dict[str, Any]] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 1.8,
    "markeredgewidth": 0.5,
    "color": style.INK,
    "markerfacecolor": "white",
}
_PARTS: Final[dict[str, Any]] = {
    "whiskerprops": _LINE,
    "capprops": _LINE,
    "medianprops": {"color": style.INK, "linewidth": 1.2},
}


@style.styled
def box_plots(
    table: pl.DataFrame,
    outliers: pl.DataFrame | None = None,
    *,
    value: str = "magnitude",
    names: Mapping[float, str] | None = None,
    log: bool = True,
    width: style.Width = "column",
) -> Figure:
    """Draw box plots by grade [Turpin et al. 2015], in one panel for all topics or one panel for each topic.

    `table` comes from `analyses.boxes`, with a row for each grade: `grade, documents, low, q1, median, q3,
    high` and optionally `topic_id`. A null in `grade` stands for ungraded documents, shown as U. `documents`
    is written under the grade, unless there is a panel for each topic. If a grade has no documents, `low` to
    `high` are null and no box is drawn. With `topic_id`, each topic has its own panel; all panels share the
    axes. `outliers` comes from `analyses.outliers`: `grade, value` and optionally `topic_id`. Outliers are
    drawn as points. `names` maps grades to labels, as `NMRH` does.

    The figure's table lists the outliers after the boxes, in the column `outlier`. Raise `InputError` for a
    box whose numbers are not in ascending order, and for an outlier without a box. With `log`, also raise it
    for numbers that are not above 0.
    """
    table = _boxes(table, log=log, optional=("topic_id",), texts=("topic_id",), numbers=("documents",))
    if outliers is not None:
        table = pl.concat([table, _outliers(outliers, table, log=log)], how="diagonal")
    by_topic = "topic_id" in table.columns
    parts = table.partition_by("topic_id", maintain_order=True) if by_topic else [table]
    across = 3 if width == "column" else 6
    drawing, panels = grid(
        len(parts), width, across=across, height=SINGLE_PANEL_HEIGHT[width] if len(parts) == 1 else 1.15
    )
    places = _places(table)
    for panel, part in zip(panels, parts, strict=True):
        _draw(panel, part, places)
        if by_topic:
            panel.set_title(style.fit(part["topic_id"][0], style.inches(width) / across - 0.3))
    _scale(panels, table, log=log)
    counts = None if by_topic else table
    _grade_axis(panels, places, names, counts, "documents")
    name_axes(drawing, panels, "grade", value)
    return finish(drawing, table)


@style.styled
def gain_profiles(
    table: pl.DataFrame, *, names: Mapping[float, str] | None = None, width: style.Width = "column"
) -> Figure:
    """Draw box plots of magnitudes by grade, as multiples of the N anchor's magnitude [Turpin et al. 2015].

    Each magnitude is divided by the magnitude of the N anchor in the same unit. The axis is logarithmic.

    `table` comes from `magnitudes.gain_profile`: `grade, judgments, low, q1, median, q3, high, linear,
    exponential` and optionally `anchors`. With the column `anchors`, the first panel shows the documents
    without the anchors, and the second includes the anchors. Only the first panel shows what a grade is
    worth, for the reason given under `gain_profile`. Two lines show the usual gains of the grades, 1-2-3-4
    and 2-4-8-16. Raise `InputError` in the same cases as `box_plots`.
    """
    usual = ("linear", "exponential")
    table = _boxes(table, log=True, numbers=("judgments",), nullable=usual, booleans=("anchors",))
    both = "anchors" in table.columns
    parts = table.partition_by("anchors", maintain_order=True) if both else [table]
    across = 1 if width == "column" else len(parts)
    height = SINGLE_PANEL_HEIGHT[width] if width == "page" or len(parts) == 1 else 1.8
    drawing, panels = grid(len(parts), width, across=across, height=height, sharex=False)
    places = _places(table)
    handles: dict[str, Artist] = {}
    for panel, part in zip(panels, parts, strict=True):
        _draw(panel, part, places)
        handles |= _usual_gains(panel, table, places, usual)
        _grade_axis([panel], places, names, part, "judgments")
        if both:
            panel.set_title("with the anchors" if part["anchors"][0] else "without the anchors")
    _scale(panels, table, log=True)
    name_axes(drawing, panels, "grade", "magnitude ÷ that of the N anchor")
    if handles:
        legend_above(drawing, handles)
    return finish(drawing, table)


def _usual_gains(
    panel: Axes, table: pl.DataFrame, places: Mapping[float | None, int], usual: tuple[str, ...]
) -> dict[str, Artist]:
    """Draw the usual gains of all grades, and return their legend handles."""
    handles: dict[str, Artist] = {}
    for place, name in enumerate(usual, start=1):
        rows = table.filter(pl.col(name).is_not_null()).unique("grade").sort("grade")
        if not rows.is_empty():
            at = [places[grade] for grade in rows["grade"]]
            label = f"{name} gain {'-'.join(map(format_number, rows[name]))}"
            (handles[label],) = panel.plot(at, rows[name], zorder=3, **style.series(place))
    return handles


def _boxes(
    table: pl.DataFrame,
    *,
    log: bool,
    texts: tuple[str, ...] = (),
    numbers: tuple[str, ...] = (),
    nullable: tuple[str, ...] = (),
    booleans: tuple[str, ...] = (),
    optional: tuple[str, ...] = (),
) -> pl.DataFrame:
    table = check_columns(
        table,
        texts=texts,
        numbers=numbers,
        nullable=("grade", *BOX_COLUMNS, *nullable),
        booleans=booleans,
        above_zero=(*BOX_COLUMNS, *nullable) if log else (),
        optional=(*optional, *booleans),
    )
    refuse_repetition(table, [name for name in ("topic_id", "anchors", "grade") if name in table.columns])
    refuse_box_out_of_order(table)
    return table


def refuse_box_out_of_order(table: pl.DataFrame) -> None:
    """Raise `InputError` for a box whose five numbers are not in ascending order, or not all given."""
    for lower, upper in pairwise(BOX_COLUMNS):
        if (table[lower] > table[upper]).any() or (table[lower].is_null() != table[upper].is_null()).any():
            raise InputError(
                "box-out-of-order",
                "in one row, {lower} is greater than {upper}, or only one of them is given; give all "
                "five numbers of a box in ascending order, or none",
                lower=lower,
                upper=upper,
            )


def _outliers(outliers: pl.DataFrame, boxes: pl.DataFrame, *, log: bool) -> pl.DataFrame:
    """Return the outliers as rows to append to the boxes.

    Raise `InputError` for an outlier whose grade or topic has no box.
    """
    if outliers.is_empty():
        return pl.DataFrame(schema={"outlier": pl.Float64})
    texts = [name for name in ("topic_id",) if name in boxes.columns]
    points = check_columns(
        outliers, texts=texts, numbers=("value",), nullable=("grade",), above_zero=("value",) if log else ()
    )
    keys = [*texts, "grade"]
    stray = points.join(boxes.filter(pl.col("median").is_not_null()), on=keys, how="anti", nulls_equal=True)
    if not stray.is_empty():
        raise InputError(
            "outlier-without-box",
            "there is an outlier but no box for {key}; compute the boxes and the outliers from the same "
            "values",
            key=", ".join(f"{key} {shown(stray[key][0])}" for key in keys),
        )
    return points.select(*keys, outlier="value")


def _places(table: pl.DataFrame) -> dict[float | None, int]:
    """Return the position of each grade on the axis: ascending, with ungraded documents last."""
    grades = table["grade"].unique().sort(nulls_last=True)
    return {grade: place for place, grade in enumerate(grades)}


def _draw(panel: Axes, part: pl.DataFrame, places: Mapping[float | None, int]) -> None:
    graded = [grade for grade in places if grade is not None]
    fills = [*style.shades(len(graded)), (1.0, 1.0, 1.0)]
    if "outlier" in part.columns:
        points = part.drop_nulls("outlier")
        at = [places[grade] for grade in points["grade"]]
        panel.plot(at, points["outlier"], **_OUTLIER)
    for row in part.drop_nulls("median").iter_rows(named=True):
        place = places[row["grade"]]
        draw_box(panel, row, place, fills[place])


def draw_box(
    panel: Axes, row: Mapping[str, Any], place: int, fill: tuple[float, ...], *, horizontal: bool = False
) -> None:
    """Draw the box plot of one row, which has the numbers named in `BOX_COLUMNS`."""
    whiskers_and_box = ("whislo", "q1", "med", "q3", "whishi")
    panel.bxp(
        [{theirs: row[ours] for theirs, ours in zip(whiskers_and_box, BOX_COLUMNS, strict=True)}],
        positions=[place],
        widths=0.6,
        orientation="horizontal" if horizontal else "vertical",
        patch_artist=True,
        showfliers=False,
        manage_ticks=False,
        boxprops={"facecolor": fill, "edgecolor": style.INK, "linewidth": 0.7},
        **_PARTS,
    )


def _scale(panels: list[Axes], table: pl.DataFrame, *, log: bool) -> None:
    drawn = [name for name in (*BOX_COLUMNS, "outlier", "linear", "exponential") if name in table.columns]
    for panel in panels:
        panel.grid(visible=False, axis="x")
        if log:
            values = [value for name in drawn for value in table[name].drop_nulls()]
            log_axis(panel, "y", values, most=5 if len(panels) > 1 else 8)
        else:
            plain_axis(panel, "y", room=0.8 if len(panels) > 1 else 1.8)


def _grade_axis(
    panels: list[Axes],
    places: Mapping[float | None, int],
    names: Mapping[float, str] | None,
    counted: pl.DataFrame | None,
    count: str,
) -> None:
    """Label the grades along the x axis, with the count for each grade below its label."""
    labels = {
        grade: "U" if grade is None else style.shorten((names or {}).get(grade, format_number(grade)), 8)
        for grade in places
    }
    if counted is not None:
        numbers = dict(counted.drop_nulls(count).select("grade", count).iter_rows())
        labels = {grade: f"{label}\n{numbers.get(grade, 0):.0f}" for grade, label in labels.items()}
    for panel in panels:
        panel.set_xlim(-0.6, len(places) - 0.4)
        panel.set_xticks(list(places.values()), list(labels.values()))
        panel.tick_params(axis="x", length=0)

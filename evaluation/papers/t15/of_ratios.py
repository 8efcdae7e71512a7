"""The items of [T15] on ratios of magnitudes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from ... import analyses, figures
from ...report.by_grade import WHISKERS, titled_by, with_names
from ...report.content import Content, Drawn, Numbers, suffix
from ...report.data import ReportData
from ...report.of_anchors import MAKERS as OF_ANCHORS
from ...text import Text
from ..reusing import as_item


def _figure_7(data: ReportData) -> Content:
    return as_item("figure-7", OF_ANCHORS["anchor-ratios"](data), tables=["ratio-bars"])


def _figure_8(data: ReportData) -> Content:
    """Return the gain profiles, drawn with the anchors, as in the paper. The table also has them without."""
    content = as_item("figure-8", OF_ANCHORS["gain-profile"](data))
    drawn = []
    for (name, known), figure in zip(data.judged_grades.items(), content.figures, strict=True):
        profile = analyses.gain_profile(data.judgments, known).filter("anchors").drop("anchors")
        draw = partial(figures.gain_profiles, profile, names=data.names(name))
        drawn.append(replace(figure, draw=draw, alt=figure.alt[1:]))
    content.figures = drawn
    return content


def _figure_9(data: ReportData) -> Content:
    part = as_item("figure-9", OF_ANCHORS["grade-ratios"](data), tables=())
    content, tables = Content(part.sentences, missing=part.missing), []
    for place, (name, known) in enumerate(data.with_letters.items()):
        boxes = analyses.ratio_boxes(data.gains, known)
        tables.append(with_names(data, name, boxes))
        if boxes["pairs"].sum():
            draw = partial(figures.ratio_boxes, boxes)
            caption = titled_by("H against R and M", name)
            alt = (part.sentences[place],)
            content.figures.append(Drawn(f"figure-9{suffix(place)}", caption, alt, draw))
    note = Text(
        "Whiskers reach at most 1.5 times the interquartile range beyond the box. “Outliers” counts the "
        "ratios beyond the whiskers, and “above” counts the ratios over 3.5."
    )
    table = pl.concat(tables).rename(WHISKERS)
    caption = Text("H against R and M")
    content.tables = [Numbers("figure-9", caption, table, heads=2, notes=(note,), most=table.height)]
    return content


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "figure-7": _figure_7,
    "figure-8": _figure_8,
    "figure-9": _figure_9,
}

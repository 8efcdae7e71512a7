"""The items of [T15] on topics, on magnitudes by grade, and on the order of documents."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from ... import figures
from ...report.by_grade import MAKERS as BY_GRADE
from ...report.by_grade import order_comparisons, titled_by
from ...report.content import Content, Drawn, suffix
from ...report.data import ReportData
from ...report.judging import MAKERS as JUDGING
from ..reusing import as_item

NOT_IN_TABLE_1: Final = ("judgments", "workers")
"""Columns of the report's table of topics that the paper does not print."""


def _table_1(data: ReportData) -> Content:
    content = as_item("table-1", JUDGING["topics"](data))
    (numbers,) = content.tables
    table = numbers.table.drop(NOT_IN_TABLE_1, strict=False)
    content.tables = [replace(numbers, table=table, most=table.height)]
    return content


def _figure_1(data: ReportData) -> Content:
    return as_item("figure-1", BY_GRADE["magnitudes-by-grade"](data))


def _figure_2(data: ReportData) -> Content:
    return as_item("figure-2", BY_GRADE["magnitudes-by-topic"](data))


def _figure_3(data: ReportData) -> Content:
    content = as_item("figure-3", BY_GRADE["order-agreement"](data))
    by_set: dict[str, list[pl.DataFrame]] = {}
    for comparison, (grouped_by, cells) in order_comparisons(data).items():
        if not cells.is_empty():
            named = cells.select(pl.lit(comparison).alias("comparison"), pl.all())
            by_set.setdefault(grouped_by, []).append(named)
    # Binary judgments alone have one pair of grades, and the sets of grades have it too.
    drawn = {name: parts for name, parts in by_set.items() if name in data.multilevel} or by_set
    for place, (name, parts) in enumerate(drawn.items()):
        draw = partial(figures.pair_agreement, pl.concat(parts), names=data.names(name), width="page")
        caption = titled_by("Pairs of documents in the same order", name)
        content.figures.append(Drawn(f"figure-3{suffix(place)}", caption, (*content.sentences,), draw))
    return content


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "table-1": _table_1,
    "figure-1": _figure_1,
    "figure-2": _figure_2,
    "figure-3": _figure_3,
}

"""The part that compares the arms of a study."""

from collections.abc import Callable, Mapping
from typing import Final

import polars as pl

from ..side_by_side import compare_arms
from ..side_by_side.result import TITLES
from .content import Content, Numbers
from .data import ReportData


def _side_by_side(data: ReportData) -> Content:
    measure = data.measure or data.parameters.measures[0]
    runs = data.runs if len(data.runs) > 1 and not data.is_random else None
    compared = compare_arms(
        data.arms, runs, measure, level=data.parameters.level, seed=data.parameters.seed % 2**64
    )
    tables = []
    for part in compared.parts:
        table = compared.to_polars(part)
        heads = sum(kind == pl.String for kind in table.dtypes)
        tables.append(Numbers(f"arms-{part}", TITLES[part], table, heads=heads))
    return Content(compared.sentences, tables)


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {"side-by-side": _side_by_side}

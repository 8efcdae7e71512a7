"""The part that compares the arms of a study."""

from collections.abc import Callable, Mapping
from typing import Final

from ..side_by_side import compare_arms
from .content import Content, numbers_of
from .data import ReportData


def _side_by_side(data: ReportData) -> Content:
    measure = data.measure or data.parameters.measures[0]
    runs = data.runs if len(data.runs) > 1 and not data.is_random else None
    compared = compare_arms(
        data.arms, runs, measure, level=data.parameters.level, seed=data.parameters.seed % 2**64
    )
    return Content(compared.sentences, numbers_of(compared, "arms"))


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {"side-by-side": _side_by_side}

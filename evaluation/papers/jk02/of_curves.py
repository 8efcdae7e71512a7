"""Compute Figures 1 to 4 of [JK02]: cumulated gain by rank."""

from functools import partial
from typing import Final, NamedTuple

import polars as pl

from ...analyses import gain_curves
from ...analyses.schemes import JK, W
from ...conventions import Average
from ...frames import Gains
from ...report import needs
from ...report.building import Makers
from ...report.content import Content, suffix, titled
from ...report.data import ReportData
from ...report.of_measures import add_curves
from ...text import Text

SCHEMES: Final = (W["w1"], W["w100"])
"""The binary weights of the panels (a), and the nonbinary weights of the panels (b)."""


class _Figure(NamedTuple):
    """A figure: the measure, the name that the paper gives it, and how topics are averaged."""

    measure: str
    name: str
    average: Average = "mean_of_ratios"

    @property
    def has_ideal(self) -> bool:
        """Whether the measure has an ideal curve other than 1."""
        return not self.name.startswith("n")


FIGURES: Final = {
    "figure-1": _Figure("CG", "CG"),
    "figure-2": _Figure(f"DCG({JK})", "DCG"),
    "figure-3": _Figure("nCG", "nCG", "ratio_of_means"),
    "figure-4": _Figure(f"nDCG({JK})", "nDCG", "ratio_of_means"),
}


def _curves(data: ReportData, figure: _Figure, gains: Gains, schemes: tuple[str, ...]) -> pl.DataFrame:
    table = gain_curves(
        gains,
        data.runs,
        measures=[figure.measure],
        schemes=schemes,
        depth=data.parameters.curve_depth,
        average=figure.average,
    )
    return table.with_columns(measure=pl.lit(figure.name))


def _make(key: str, data: ReportData) -> Content:
    content, figure = Content(), FIGURES[key]

    def add(name: str) -> None:
        table = _curves(data, figure, data.known[name], SCHEMES)
        ending = suffix(list(data.graded).index(name))
        caption = titled(Text("{measure} by rank, based on grades", measure=figure.name), name)
        add_curves(content, data, table, f"{key}{ending}", caption, with_ideal=figure.has_ideal)

    if (reason := needs.levels(data.facts)) is not None:
        content.missing.append(reason)
    content.add_each(data.graded, add)
    table = _curves(data, figure, data.gains, ("linear",)).with_columns(scheme=pl.lit(data.crowd))
    caption = Text("{measure} by rank, based on judgments", measure=figure.name)
    add_curves(content, data, table, f"{key}-judgments", caption, head="gains", with_ideal=figure.has_ideal)
    return content


MAKERS: Final[Makers] = {key: partial(_make, key) for key in FIGURES}

"""The parts of a report: how they are declared, and what they contain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from evaluation.figures import Figure
from evaluation.report.data import ReportData

MOST_ROWS: Final = 40
"""The largest number of rows of a table that the report prints. The CSV file has all rows."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """A table of a report. `key` names its files.

    The columns in `heads` name the rows. The columns `low` and `high` are printed behind the column
    `interval_of` if it is given. If the table has more than `most` rows, the report prints the first of them.
    """

    key: str
    caption: str
    table: pl.DataFrame
    heads: int = 1
    notes: tuple[str, ...] = ()
    interval_of: str = ""
    most: int = MOST_ROWS


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure of a report. `key` names its files, and `alt` describes it to people who cannot see it."""

    key: str
    caption: str
    alt: str
    figure: Figure


@dataclass(eq=False)
class Content:
    """The results of a part: sentences, tables, figures, and reasons why something in it is missing."""

    sentences: list[str] = field(default_factory=list)
    tables: list[Numbers] = field(default_factory=list)
    figures: list[Drawn] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


Need = Callable[[ReportData], str]
"""A function that returns a sentence about what a study lacks, or "" if it lacks nothing."""


@dataclass(frozen=True)
class Part:
    """A part of the report. `reading` has two sentences on how to read it, and `source` names its paper.

    `figures` are the keys of its figures for one set of known grades. Figures for further sets have keys with
    a number behind.
    """

    key: str
    title: str
    source: str
    reading: str
    make: Callable[[ReportData], Content]
    needs: Sequence[Need] = ()
    figures: Sequence[str] = ()


@dataclass(frozen=True)
class Section:
    """A section of the report with its parts."""

    key: str
    title: str
    parts: tuple[Part, ...]


def grades(data: ReportData) -> str:
    """Return what is missing if no judged document has a known grade."""
    return "" if data.judged_grades else "No judged document has a known grade; give known grades."


def graded(data: ReportData) -> str:
    """Return what is missing if no set has more than two of the grades 0, 1, 2 and 3."""
    if data.graded:
        return ""
    return "There is no set of graded judgments with the grades 0 to 3; give one."


def anchors(data: ReportData) -> str:
    """Return what is missing if the judgments do not mark the anchors of their units."""
    if data.has_anchors:
        return ""
    return "The judgments do not mark the anchors of their units; give them in the column gold."


def magnitudes(data: ReportData) -> str:
    """Return what is missing if the judgments are ratings."""
    return "" if data.has_ratios else "The judgments are ratings, and their ratios mean nothing."


def runs(data: ReportData) -> str:
    """Return what is missing if there are fewer than two runs."""
    number = len(data.runs)
    return (
        "" if number > 1 else f"The part compares runs, and there are {number or 'none'}; give two or more."
    )


def known(data: ReportData) -> str:
    """Return what is missing if there are no known grades at all."""
    return "" if data.known else "There are no known grades to compare with; give at least one set."


def topics(data: ReportData) -> str:
    """Return what is missing if fewer than four topics are judged, too few to draw subsets of them."""
    number = data.judgments.table["topic_id"].n_unique()
    if number > 3:
        return ""
    return f"The part draws subsets of topics, and only {number} are judged; judge four or more."


def pay(data: ReportData) -> str:
    """Return what is missing if nothing is known about the pay."""
    return "" if data.pay is not None else "The pay for a unit is unknown; give it to get the cost."


def several_sets(data: ReportData) -> str:
    """Return what is missing if there are fewer than two sets of known grades."""
    return "" if len(data.known) > 1 else "The part compares two sets of known grades; give a second set."

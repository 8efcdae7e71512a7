"""Retrieval measures: `parse("nDCG@10")` returns a `Measure`, whose method `values` computes the measure.

`str(measure)` returns the measure's name. Each family of measures has its own module. There, the
decorator `measure` registers each function that computes a measure from ranked lists.
"""

# Messages list the measures in the order in which their modules are imported.
from . import cumulated  # isort: skip
from . import (
    cascade,
    graded,
    incomplete,
    interpolation,
    novelty,
    precision,
    ranks,
)
from .cumulated import curves
from .curves import Curves
from .definitions import DEFINITIONS
from .interpolation import RecallCurves, interpolated, recall_curves
from .lists import RankedLists
from .measure import Measure, Measures, several
from .notation import bounds_of, parse

__all__ = [
    "DEFINITIONS",
    "Curves",
    "Measure",
    "Measures",
    "RankedLists",
    "RecallCurves",
    "bounds_of",
    "cascade",
    "cumulated",
    "curves",
    "graded",
    "incomplete",
    "interpolated",
    "interpolation",
    "novelty",
    "parse",
    "precision",
    "ranks",
    "recall_curves",
    "several",
]

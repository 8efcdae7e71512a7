"""Retrieval measures: `parse("nDCG@10")` returns a `Measure`, whose method `values` computes the measure.

`str(measure)` returns the measure's name. Each family of measures has its own module. There, the
decorator `measure` registers each function that computes a measure from ranked lists.
"""

# Messages list the measures in the order in which their modules are imported.
from evaluation.measures import cumulated  # isort: skip
from evaluation.measures import (
    cascade,
    graded,
    incomplete,
    interpolation,
    novelty,
    precision,
    ranks,
)
from evaluation.measures.cumulated import curves
from evaluation.measures.curves import Curves
from evaluation.measures.definitions import DEFINITIONS
from evaluation.measures.interpolation import RecallCurves, interpolated, recall_curves
from evaluation.measures.lists import RankedLists
from evaluation.measures.measure import Measure, Measures, several
from evaluation.measures.notation import bounds_of, parse

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

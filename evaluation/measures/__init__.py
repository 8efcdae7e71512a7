"""Retrieval measures: `parse("nDCG@10")` returns a `Measure`, whose method `values` computes the measure.

`str(measure)` returns the measure's name. Each family of measures has its own module. There, the
decorator `measure` registers each function that computes a measure from ranked lists.
"""

# Messages list the measures in the order in which their modules are imported.
from . import cumulated  # isort: skip
from . import (
    cascade,
    compatibility,
    goal_sensitive,
    graded,
    incomplete,
    interpolation,
    novelty,
    precision,
    ranks,
    sets,
)
from .chosen import Measures, several
from .cumulated import curves
from .curves import Curves
from .definitions import DEFINITIONS
from .interpolation import RecallCurves, interpolated, recall_curves
from .lists import RankedLists
from .measure import Measure
from .notation import as_printed, bounds_of, known_measure, lower_is_better, parse, summarised

__all__ = [
    "DEFINITIONS",
    "Curves",
    "Measure",
    "Measures",
    "RankedLists",
    "RecallCurves",
    "as_printed",
    "bounds_of",
    "cascade",
    "compatibility",
    "cumulated",
    "curves",
    "goal_sensitive",
    "graded",
    "incomplete",
    "interpolated",
    "interpolation",
    "known_measure",
    "lower_is_better",
    "novelty",
    "parse",
    "precision",
    "ranks",
    "recall_curves",
    "sets",
    "several",
    "summarised",
]

"""Measures as values: `parse("nDCG@10")` gives one, `str` gives its name back, `values` computes it.

Each family is a module; a measure is a function of the ranked lists under the `measure` decorator.
"""

from evaluation.measures import cascade, cumulated, precision
from evaluation.measures.base import DEFINITIONS, Measure
from evaluation.measures.cumulated import Curves, curves
from evaluation.measures.lists import RankedLists
from evaluation.measures.notation import parse

__all__ = [
    "DEFINITIONS",
    "Curves",
    "Measure",
    "RankedLists",
    "cascade",
    "cumulated",
    "curves",
    "parse",
    "precision",
]

"""Magnitudes: from workers' numbers to the gain of each document, and comparisons with known grades.

Functions that compute more than one number for each judgment or document return tidy tables (polars
DataFrames).
"""

from .agreement_of_pairs import agreement_by_pair, overall_agreement, pairwise_agreement
from .bootstrap import intervals
from .document_gains import STATISTICS, gains
from .model import Fit, fit_levels
from .normalisation import METHODS, WITH_ANCHORS, methods_of, normalise
from .profiles import gain_profile, grade_ratios
from .ratios import narrow_and_wide, ratio_histogram, unit_ratios
from .whole_gains import gains_times, grades_from

__all__ = [
    "METHODS",
    "STATISTICS",
    "WITH_ANCHORS",
    "Fit",
    "agreement_by_pair",
    "fit_levels",
    "gain_profile",
    "gains",
    "gains_times",
    "grade_ratios",
    "grades_from",
    "intervals",
    "methods_of",
    "narrow_and_wide",
    "normalise",
    "overall_agreement",
    "pairwise_agreement",
    "ratio_histogram",
    "unit_ratios",
]

"""Magnitudes: from workers' numbers to the gain of each document, and comparisons with known grades.

Functions that compute more than one number for each judgment or document return tidy tables (polars
DataFrames).
"""

from evaluation.magnitudes.agreement_of_pairs import agreement_by_pair, overall_agreement, pairwise_agreement
from evaluation.magnitudes.bootstrap import intervals
from evaluation.magnitudes.document_gains import STATISTICS, gains
from evaluation.magnitudes.model import Fit, fit_levels
from evaluation.magnitudes.normalisation import METHODS, WITH_ANCHORS, methods_of, normalise
from evaluation.magnitudes.profiles import gain_profile, grade_ratios
from evaluation.magnitudes.ratios import narrow_and_wide, ratio_histogram, unit_ratios
from evaluation.magnitudes.whole_gains import gains_times, grades_from

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

"""Analyses of judgments and system scores, as functions that return tidy tables.

Each analysis is a pure function of judgments, gains, runs or scores. Analyses that are defined in other parts
of the library can be imported from here too. Sources: [T15] Turpin, Scholer, Mizzaro & Maddalena, SIGIR 2015;
[JK02] Järvelin & Kekäläinen, TOIS 2002; [K05] Kekäläinen, IP&M 2005; [S04] Sakai, AIRS 2005; [ZY10] Zhou &
Yao, 2010.
"""

from evaluation.analyses.adjacent import adjacent_grades
from evaluation.analyses.agreement import worker_agreement
from evaluation.analyses.boxes import boxes, outliers
from evaluation.analyses.correlation_table import correlation_table
from evaluation.analyses.cost import cost
from evaluation.analyses.disagreements import disagreements
from evaluation.analyses.exceptions import exceptions, exceptions_sentence
from evaluation.analyses.gain_curves import gain_curves
from evaluation.analyses.order_agreement import order_agreement
from evaluation.analyses.preferences import (
    preference_correlations,
    preference_ranking,
    preference_scores,
    preference_table,
)
from evaluation.analyses.ranges import gains_by_range, range_table, ranked_agreement
from evaluation.analyses.rank_changes import inconsistencies, rank_changes
from evaluation.analyses.ranked import FewGraded, choose_systems
from evaluation.analyses.reliability import (
    Reliability,
    confidence_table,
    discrimination_curves,
    measure_reliability,
    reliability_table,
    stability_curves,
)
from evaluation.analyses.resampled import tau_distributions, tau_summary
from evaluation.analyses.scheme_correlations import scheme_correlations
from evaluation.analyses.scheme_table import scheme_differences, scheme_means, scheme_table
from evaluation.analyses.schemes import SCHEMES
from evaluation.analyses.simulated_agreement import simulated_agreement
from evaluation.analyses.systems import scores_by, system_agreement, system_scatter
from evaluation.analyses.top_sets import top_sets
from evaluation.analyses.transformed import transformation_table
from evaluation.comparison.agreement import alpha_of_magnitudes, cross_table
from evaluation.comparison.battery import battery
from evaluation.comparison.confidence import confidence_orders
from evaluation.comparison.discrimination import discrimination
from evaluation.comparison.matrix import correlation_matrix, rankings
from evaluation.comparison.simulated import SimulatedSystems, simulate_systems
from evaluation.comparison.stability import stability
from evaluation.comparison.topset import overlap, top_set
from evaluation.magnitudes import (
    agreement_by_pair,
    gain_profile,
    grade_ratios,
    intervals,
    narrow_and_wide,
    overall_agreement,
    pairwise_agreement,
    ratio_histogram,
    unit_ratios,
)

__all__ = [
    "SCHEMES",
    "FewGraded",
    "Reliability",
    "SimulatedSystems",
    "adjacent_grades",
    "agreement_by_pair",
    "alpha_of_magnitudes",
    "battery",
    "boxes",
    "choose_systems",
    "confidence_orders",
    "confidence_table",
    "correlation_matrix",
    "correlation_table",
    "cost",
    "cross_table",
    "disagreements",
    "discrimination",
    "discrimination_curves",
    "exceptions",
    "exceptions_sentence",
    "gain_curves",
    "gain_profile",
    "gains_by_range",
    "grade_ratios",
    "inconsistencies",
    "intervals",
    "measure_reliability",
    "narrow_and_wide",
    "order_agreement",
    "outliers",
    "overall_agreement",
    "overlap",
    "pairwise_agreement",
    "preference_correlations",
    "preference_ranking",
    "preference_scores",
    "preference_table",
    "range_table",
    "rank_changes",
    "ranked_agreement",
    "rankings",
    "ratio_histogram",
    "reliability_table",
    "scheme_correlations",
    "scheme_differences",
    "scheme_means",
    "scheme_table",
    "scores_by",
    "simulate_systems",
    "simulated_agreement",
    "stability",
    "stability_curves",
    "system_agreement",
    "system_scatter",
    "tau_distributions",
    "tau_summary",
    "top_set",
    "top_sets",
    "transformation_table",
    "unit_ratios",
    "worker_agreement",
]

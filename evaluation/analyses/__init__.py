"""Analyses of judgments and system scores, as functions that return tidy tables.

Each analysis is a pure function of judgments, gains, runs or scores. Analyses that are defined in other parts
of the library can be imported from here too. Sources: [T15] Turpin, Scholer, Mizzaro & Maddalena, SIGIR 2015;
[JK02] Järvelin & Kekäläinen, TOIS 2002; [K05] Kekäläinen, IP&M 2005; [S04] Sakai, AIRS 2005; [ZY10] Zhou &
Yao, 2010.
"""

from ..comparison.agreement import alpha_of_magnitudes, cross_table
from ..comparison.battery import battery
from ..comparison.confidence import confidence_orders
from ..comparison.discrimination import discrimination
from ..comparison.matrix import correlation_matrix, rankings
from ..comparison.simulated import SimulatedSystems, simulate_systems
from ..comparison.stability import stability
from ..comparison.topset import overlap, top_set
from ..contributions import contributions, has_contributions
from ..magnitudes import (
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
from ..verdict_table import with_verdicts
from ..verdicts import VERDICTS
from .adjacent import adjacent_grades
from .agreement import worker_agreement
from .boxes import boxes, outliers, ratio_boxes
from .combined_preferences import combine_preferences
from .correlation_table import correlation_table
from .cost import cost
from .disagreements import disagreements
from .exceptions import exceptions, exceptions_sentence
from .gain_curves import gain_curves
from .order_agreement import order_agreement
from .preferences import (
    preference_correlations,
    preference_ranking,
    preference_scores,
    preference_table,
)
from .ranges import gains_by_range, range_table, ranked_agreement
from .rank_changes import inconsistencies, rank_changes
from .ranked import FewGraded, choose_systems
from .reliability import (
    Reliability,
    confidence_table,
    discrimination_curves,
    measure_reliability,
    reliability_table,
    stability_curves,
)
from .resampled import tau_distributions, tau_summary
from .scheme_correlations import scheme_correlations
from .scheme_table import scheme_differences, scheme_means, scheme_table
from .schemes import SCHEMES
from .sensitivity import sensitivity
from .simulated_agreement import simulated_agreement
from .systems import scores_by, system_agreement, system_scatter
from .top_sets import top_sets
from .transformed import transformation_table

__all__ = [
    "SCHEMES",
    "VERDICTS",
    "FewGraded",
    "Reliability",
    "SimulatedSystems",
    "adjacent_grades",
    "agreement_by_pair",
    "alpha_of_magnitudes",
    "battery",
    "boxes",
    "choose_systems",
    "combine_preferences",
    "confidence_orders",
    "confidence_table",
    "contributions",
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
    "has_contributions",
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
    "ratio_boxes",
    "ratio_histogram",
    "reliability_table",
    "scheme_correlations",
    "scheme_differences",
    "scheme_means",
    "scheme_table",
    "scores_by",
    "sensitivity",
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
    "with_verdicts",
    "worker_agreement",
]

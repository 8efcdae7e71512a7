"""Methods for comparing systems and judgments, each in its own module."""

from .agreement import alpha_of_magnitudes, cross_table, krippendorff_alpha
from .alpha_intervals import alpha_intervals
from .anova import AnovaResult, anova, tukey
from .battery import battery
from .confidence import ConfidenceOrders, confidence_orders
from .correlation import rho, tau_a, tau_ap, tau_b, tau_c
from .discrimination import Discrimination, discrimination
from .effects import cohen_d, cohen_g, rank_biserial, standardised_differences
from .friedman import FriedmanResult, conover, friedman
from .holm import holm
from .intervals import bootstrap_interval, t_interval
from .kappa import kappa
from .matrix import correlation_matrix, rankings
from .pairwise import all_pairs
from .randomisation import randomisation
from .rank_biased import rbo
from .results import TestResult
from .sign import sign_test
from .simulated import SimulatedSystems, simulate_systems
from .stability import Stability, stability
from .statistics import STATISTICS, parse_statistic
from .student import paired_t
from .system_intervals import SystemIntervals, system_intervals
from .topset import TopSystem, overlap, top_set
from .wilcoxon import wilcoxon

__all__ = [
    "STATISTICS",
    "AnovaResult",
    "ConfidenceOrders",
    "Discrimination",
    "FriedmanResult",
    "SimulatedSystems",
    "Stability",
    "SystemIntervals",
    "TestResult",
    "TopSystem",
    "all_pairs",
    "alpha_intervals",
    "alpha_of_magnitudes",
    "anova",
    "battery",
    "bootstrap_interval",
    "cohen_d",
    "cohen_g",
    "confidence_orders",
    "conover",
    "correlation_matrix",
    "cross_table",
    "discrimination",
    "friedman",
    "holm",
    "kappa",
    "krippendorff_alpha",
    "overlap",
    "paired_t",
    "parse_statistic",
    "randomisation",
    "rank_biserial",
    "rankings",
    "rbo",
    "rho",
    "sign_test",
    "simulate_systems",
    "stability",
    "standardised_differences",
    "system_intervals",
    "t_interval",
    "tau_a",
    "tau_ap",
    "tau_b",
    "tau_c",
    "top_set",
    "tukey",
    "wilcoxon",
]

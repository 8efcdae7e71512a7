"""Methods for comparing systems and judgments, each in its own module."""

from evaluation.comparison.agreement import alpha_of_magnitudes, cross_table, krippendorff_alpha
from evaluation.comparison.anova import AnovaResult, anova, tukey
from evaluation.comparison.battery import battery
from evaluation.comparison.confidence import ConfidenceOrders, confidence_orders
from evaluation.comparison.correlation import rho, tau_a, tau_ap, tau_b, tau_c
from evaluation.comparison.discrimination import Discrimination, discrimination
from evaluation.comparison.effects import cohen_d, cohen_g, rank_biserial, standardised_differences
from evaluation.comparison.friedman import FriedmanResult, conover, friedman
from evaluation.comparison.holm import holm
from evaluation.comparison.intervals import bootstrap_interval, t_interval
from evaluation.comparison.matrix import correlation_matrix, rankings
from evaluation.comparison.pairwise import all_pairs
from evaluation.comparison.randomisation import randomisation
from evaluation.comparison.rank_biased import rbo
from evaluation.comparison.results import TestResult
from evaluation.comparison.sign import sign_test
from evaluation.comparison.simulated import SimulatedSystems, simulate_systems
from evaluation.comparison.stability import Stability, stability
from evaluation.comparison.statistics import STATISTICS, parse_statistic
from evaluation.comparison.student import paired_t
from evaluation.comparison.system_intervals import SystemIntervals, system_intervals
from evaluation.comparison.topset import TopSystem, overlap, top_set
from evaluation.comparison.wilcoxon import wilcoxon

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

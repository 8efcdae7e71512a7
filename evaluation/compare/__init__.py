"""Comparing systems and judgments: one module for each method."""

from evaluation.compare.agreement import alpha_of_magnitudes, cross_table, krippendorff_alpha
from evaluation.compare.anova import AnovaResult, anova, tukey
from evaluation.compare.battery import battery
from evaluation.compare.confidence import ConfidenceOrders, confidence_orders
from evaluation.compare.correlation import STATISTICS, rho, tau_a, tau_ap, tau_b, tau_c
from evaluation.compare.discrimination import Discrimination, discrimination
from evaluation.compare.friedman import FriedmanResult, conover, friedman
from evaluation.compare.holm import holm
from evaluation.compare.matrix import correlation_matrix, rankings
from evaluation.compare.pairwise import all_pairs
from evaluation.compare.randomisation import randomisation
from evaluation.compare.results import TestResult
from evaluation.compare.sign import sign_test
from evaluation.compare.simulated import SimulatedSystems, simulate_systems
from evaluation.compare.stability import Stability, stability
from evaluation.compare.student import paired_t
from evaluation.compare.topset import TopSystem, overlap, top_set
from evaluation.compare.wilcoxon import wilcoxon

__all__ = [
    "STATISTICS",
    "AnovaResult",
    "ConfidenceOrders",
    "Discrimination",
    "FriedmanResult",
    "SimulatedSystems",
    "Stability",
    "TestResult",
    "TopSystem",
    "all_pairs",
    "alpha_of_magnitudes",
    "anova",
    "battery",
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
    "randomisation",
    "rankings",
    "rho",
    "sign_test",
    "simulate_systems",
    "stability",
    "tau_a",
    "tau_ap",
    "tau_b",
    "tau_c",
    "top_set",
    "tukey",
    "wilcoxon",
]

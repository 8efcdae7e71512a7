"""Comparing systems: one file a method."""

from evaluation.compare.correlation import STATISTICS, rho, tau_a, tau_ap, tau_b, tau_c

__all__ = ["STATISTICS", "rho", "tau_a", "tau_ap", "tau_b", "tau_c"]

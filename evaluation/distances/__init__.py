"""Distances between a user's preferences and a system's ranking. Each family has its own module."""

from .adm import adm
from .aggregation import AGGREGATIONS, borda, combine_orders, copeland
from .correlations import rho, tau_a, tau_b, tau_c
from .earlier import ranked_half_life, relative_relevance, satisfaction_frustration
from .ndpm import beta, dpm, ndpm
from .preferences import WeakOrder, nearest_acceptable
from .ratings import Ratings
from .topics import DISTANCES, distances

__all__ = [
    "AGGREGATIONS",
    "DISTANCES",
    "Ratings",
    "WeakOrder",
    "adm",
    "beta",
    "borda",
    "combine_orders",
    "copeland",
    "distances",
    "dpm",
    "ndpm",
    "nearest_acceptable",
    "ranked_half_life",
    "relative_relevance",
    "rho",
    "satisfaction_frustration",
    "tau_a",
    "tau_b",
    "tau_c",
]

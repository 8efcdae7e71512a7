"""Distances between a user's preferences and a system's ranking. Each family has its own module."""

from evaluation.distances.adm import adm
from evaluation.distances.correlations import rho, tau_a, tau_b, tau_c
from evaluation.distances.earlier import ranked_half_life, relative_relevance, satisfaction_frustration
from evaluation.distances.ndpm import beta, dpm, ndpm
from evaluation.distances.preferences import WeakOrder, nearest_acceptable
from evaluation.distances.ratings import Ratings
from evaluation.distances.topics import DISTANCES, distances

__all__ = [
    "DISTANCES",
    "Ratings",
    "WeakOrder",
    "adm",
    "beta",
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

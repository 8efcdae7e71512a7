"""Compute the tables and figures of [T15]."""

from typing import Final

from ...report.building import Makers
from . import of_judgments, of_ratios, of_systems

MAKERS: Final[Makers] = {**of_judgments.MAKERS, **of_systems.MAKERS, **of_ratios.MAKERS}
"""The function that computes each item."""

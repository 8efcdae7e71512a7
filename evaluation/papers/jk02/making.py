"""Compute the tables and figures of [JK02]."""

from typing import Final

from ...report.building import Makers
from . import of_curves, of_judgments, of_means

MAKERS: Final[Makers] = {**of_judgments.MAKERS, **of_curves.MAKERS, **of_means.MAKERS}
"""The function that computes each item."""

"""Compute the tables and figures of [K05]."""

from typing import Final

from ...report.building import Makers
from . import of_precision, of_schemes

MAKERS: Final[Makers] = {**of_precision.MAKERS, **of_schemes.MAKERS}
"""The function that computes each item."""

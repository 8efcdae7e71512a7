"""Compute the tables and figures of [JK02]."""

from typing import Final

from ...report.building import Makers

MAKERS: Final[Makers] = {}
"""The function that computes each item."""

"""Compute the tables and figures of [S04]."""

from typing import Final

from ...report.building import Makers
from .of_gain_values import gain_values
from .of_rankings import freezing_of, runs_by_ap, taus_by_crowd, taus_by_grades
from .of_reliability import discrimination_of, orders_of, stability_of

MAKERS: Final[Makers] = {
    "section-2": freezing_of,
    "section-4-1": stability_of,
    "section-4-2": discrimination_of,
    "table-4": taus_by_grades,
    "table-5": taus_by_crowd,
    "runs": runs_by_ap,
    "tables-6-9": gain_values,
    "section-5": orders_of,
}
"""The function that computes each item."""

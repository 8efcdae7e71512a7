"""Ratings: numbers on a scale that all workers share. Their differences have a meaning, but not their ratios.

Examples are a grade from 0 to 3 and a slider from 0 to 100, in files of other studies.
"""

from typing import Final

from .bounded import rating_scale

SCALE: Final = rating_scale(
    "rating",
    "ratings",
    smallest=0.0,
    largest=1000.0,  # means of numbers up to 1024 are exact
)

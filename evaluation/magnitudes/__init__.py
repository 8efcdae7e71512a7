"""Magnitudes: from the numbers workers gave to what each document is worth."""

from evaluation.magnitudes.documents import gains
from evaluation.magnitudes.normalisation import normalise

__all__ = ["gains", "normalise"]

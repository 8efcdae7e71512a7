"""What a test of significance returns, and what tests share. The library never says "significant"."""

import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.arrays import BoolArray, FloatArray
from evaluation.errors import InputError

TIED_WITHIN = 1e-12
"""Differences are rounded to this: what arithmetic alone sets apart is no difference."""

Values = npt.ArrayLike


@dataclass(frozen=True)
class TestResult:
    """`method` says how p was found; `n` is how many topics entered. p is two-sided, and never 0."""

    __test__ = False  # no test of pytest's, whatever its name

    method: str
    statistic: float
    p: float
    n: int


def positive(p: float) -> float:
    """p, or the smallest positive float where it is too small for one: no data makes anything impossible."""
    return min(1.0, max(float(p), sys.float_info.min))


def differences(x: Values, y: Values) -> FloatArray:
    """x − y over the topics in which both have a value, rounded to 1e-12.

    Raises `InputError` for lists of different lengths, an infinite value, and without a shared topic.
    """
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError(
            "lists-differ-in-length",
            "the two lists have the shapes {first} and {second}; give two lists of the same length",
            first=str(a.shape),
            second=str(b.shape),
        )
    both = ~(np.isnan(a) | np.isnan(b))
    if not both.any():
        raise InputError(
            "no-topic-in-common",
            "no topic has a value of both systems; compare systems with a topic in common",
        )
    if np.isinf(a).any() or np.isinf(b).any():
        raise InputError("infinite-value", "a value is infinite; give finite values, or NaN for none")
    return rounded(a[both] - b[both])


def rounded(values: FloatArray) -> FloatArray:
    """To the nearest 1e-12; numbers that are too large to have such digits stay as they are."""
    small = np.abs(values) < 1e3
    return np.where(small, np.round(np.where(small, values, 0.0), 12), values)


def complete(values: Values) -> FloatArray:
    """The topics in which every system has a value, as topics × systems.

    `values` is systems × topics, NaN for no value. Raises `InputError` where fewer than two systems or two
    topics remain.
    """
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] < 2:
        raise InputError(
            "not-a-matrix",
            "the values have the shape {shape}; give a matrix of two or more systems by topics",
            shape=str(matrix.shape),
        )
    if np.isinf(matrix).any():
        raise InputError("infinite-value", "a value is infinite; give finite values, or NaN for none")
    kept: BoolArray = np.logical_not(np.isnan(matrix).any(axis=0))
    if kept.sum() < 2:
        raise InputError(
            "too-few-complete-topics",
            "too few topics have a value of every system ({number}); give two or more",
            number=int(kept.sum()),
        )
    found: FloatArray = matrix[:, kept].T
    return found

"""The result of a significance test, and functions that all tests share."""

import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.arrays import BoolArray, FloatArray
from evaluation.errors import InputError

TIED_WITHIN = 1e-12
"""Values that differ by no more than this are tied, because such differences are rounding errors."""

Values = npt.ArrayLike


@dataclass(frozen=True)
class TestResult:
    """The result of a test. `method` says how p was computed, and `n` is the number of topics in the test.

    p is two-sided and never 0. There is no verdict such as "significant", because readers choose their own
    limit for p.
    """

    __test__ = False  # tells pytest that this is not a test class

    method: str
    statistic: float
    p: float
    n: int


def positive(p: float) -> float:
    """Return p, limited to the range from the smallest positive float to 1.

    A p-value is never 0, because no data make a hypothesis impossible.
    """
    return min(1.0, max(float(p), sys.float_info.min))


def two_lists(x: Values, y: Values) -> tuple[FloatArray, FloatArray]:
    """Return both lists as arrays (n,). Raise `InputError` if they are not two lists of the same length."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError(
            "lists-differ-in-length",
            "the two lists have the shapes {first} and {second}; give two lists of the same length",
            first=str(a.shape),
            second=str(b.shape),
        )
    return a, b


def differences(x: Values, y: Values) -> FloatArray:
    """Return x − y, rounded by `rounded`, for the topics in which both systems have a value.

    Raise `InputError` for lists of different lengths, for an infinite value, and if no topic has a value for
    both systems.
    """
    a, b = two_lists(x, y)
    both = ~(np.isnan(a) | np.isnan(b))
    if not both.any():
        raise InputError(
            "no-topic-in-common",
            "no topic has a value for both systems; compare systems that have a topic in common",
        )
    if np.isinf(a).any() or np.isinf(b).any():
        raise InputError(
            "infinite-value", "a value is infinite; give finite numbers, or NaN for missing values"
        )
    return rounded(a[both] - b[both])


def rounded(values: FloatArray) -> FloatArray:
    """Return the values, rounded to 12 decimals unless their absolute value is 1,000 or more.

    A float does not have enough digits for 12 decimals of such a large value.
    """
    small = np.abs(values) < 1e3
    return np.where(small, np.round(np.where(small, values, 0.0), 12), values)


def complete(values: Values) -> FloatArray:
    """Return the values of the topics in which every system has a value, as topics × systems.

    `values` is systems × topics, with NaN for no value. Raise `InputError` for an infinite value, for fewer
    than two systems, and if fewer than two topics remain.
    """
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] < 2:
        raise InputError(
            "not-a-matrix",
            "the values have the shape {shape}; give a matrix with two or more systems as rows and topics as "
            "columns",
            shape=str(matrix.shape),
        )
    if np.isinf(matrix).any():
        raise InputError(
            "infinite-value", "a value is infinite; give finite numbers, or NaN for missing values"
        )
    has_all_values: BoolArray = np.logical_not(np.isnan(matrix).any(axis=0))
    if has_all_values.sum() < 2:
        raise InputError(
            "too-few-complete-topics",
            "too few topics ({number}) have a value for every system; give two or more",
            number=int(has_all_values.sum()),
        )
    by_topic: FloatArray = matrix[:, has_all_values].T
    return by_topic

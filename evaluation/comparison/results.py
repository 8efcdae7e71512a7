"""The result of a significance test, and functions that all tests share."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ..arrays import BoolArray, FloatArray
from ..errors import InputError
from ..showing import short_repr

TIED_WITHIN: Final = 1e-12
"""Two values are tied if they differ by no more than this share of the larger of their sizes.

Such a small difference is a rounding error. The size of a value is its absolute value. The size of a mean is
the mean of the absolute values in it, because positive and negative values can cancel out. An absolute limit
would tie all small scores.
"""

Values = npt.ArrayLike


@short_repr
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
    """Return x − y without rounding errors, for the topics in which both systems have a value.

    The difference of two tied values is 0. Two differences have the same absolute value if these values
    differ by no more than the rounding errors of x and y. Raise `InputError` in the same cases as `paired`.
    """
    a, b = paired(x, y)
    apart, sizes = a - b, np.maximum(np.abs(a), np.abs(b))
    apart = np.where(tied(a, b), 0.0, apart)
    equal = levels_of_rows(np.abs(apart)[None], sizes[None])[0]
    _, first, level = np.unique(equal, return_index=True, return_inverse=True)
    without_errors: FloatArray = np.sign(apart) * np.abs(apart)[first][level]
    return without_errors


def paired(x: Values, y: Values) -> tuple[FloatArray, FloatArray]:
    """Return both lists as arrays, without the topics in which a system has no value.

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
    refuse_infinite(a)
    refuse_infinite(b)
    return a[both], b[both]


def noise(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the largest difference that is a rounding error, for each pair of values with these sizes."""
    largest: FloatArray = TIED_WITHIN * np.maximum(np.abs(x), np.abs(y))
    return largest


def tied(x: FloatArray, y: FloatArray) -> BoolArray:
    """Return, for each pair of values, whether they differ only by rounding errors."""
    equal: BoolArray = np.abs(x - y) <= noise(x, y)
    return equal


def levels_of_rows(values: FloatArray, sizes: FloatArray | None = None) -> FloatArray:
    """Return levels 0, 1, … in place of the values in each row (rows, systems). Tied values have one level.

    The lowest value of a row has level 0. A new level begins where a value is not tied with the next lower
    value. `sizes` has the size of each value, if this is not its absolute value.
    """
    order = np.argsort(values, axis=-1)
    ascending = np.take_along_axis(values, order, axis=-1)
    ordered = ascending if sizes is None else np.take_along_axis(sizes, order, axis=-1)
    steps = np.zeros(values.shape)
    steps[:, 1:] = np.diff(ascending, axis=-1) > noise(ordered[:, 1:], ordered[:, :-1])
    levels = np.empty(values.shape)
    np.put_along_axis(levels, order, np.cumsum(steps, axis=-1), axis=-1)
    return levels


def without_scale(values: FloatArray) -> tuple[FloatArray, float]:
    """Return the values divided by a power of 2, and this power.

    The largest absolute value becomes at least ½ and below 1, so that squares do not underflow or overflow.
    """
    exponent = int(np.frexp(np.abs(values).max(initial=0.0))[1])
    scaled: FloatArray = np.ldexp(values, -exponent)
    return scaled, float(np.ldexp(1.0, exponent))


def refuse_infinite(values: FloatArray) -> None:
    """Raise `InputError` for an infinite value."""
    if np.isinf(values).any():
        raise InputError(
            "infinite-value", "a value is infinite; give finite numbers, or NaN for missing values"
        )


def refuse_few_systems(number: int) -> None:
    """Raise `InputError` for fewer than two systems."""
    if number < 2:
        raise InputError(
            "too-few-systems", "too few systems to compare ({number}); give two or more", number=number
        )


def system_matrix(values: Values, runs: Sequence[str]) -> FloatArray:
    """Return the values as an array, systems × topics. Raise `InputError` unless each run has a row."""
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or len(matrix) != len(runs):
        raise InputError(
            "matrix-of-other-systems",
            "the matrix of values has the shape {shape}; give one row per system ({systems})",
            shape=str(matrix.shape),
            systems=len(runs),
        )
    return matrix


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
    refuse_infinite(matrix)
    has_all_values: BoolArray = np.logical_not(np.isnan(matrix).any(axis=0))
    if has_all_values.sum() < 2:
        raise InputError(
            "too-few-complete-topics",
            "too few topics ({number}) have a value for every system; give two or more",
            number=int(has_all_values.sum()),
        )
    by_topic: FloatArray = matrix[:, has_all_values].T
    return by_topic

"""Magnitudes: positive numbers of any size, on a scale of each worker's own. Only their ratios count."""

from math import inf
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..text import Text
from .scale import Fault, Scale

if TYPE_CHECKING:
    import numpy as np

    from ..arrays import BoolArray, FloatArray
    from ..crowds.answers import Perceived

SMALLEST: Final = 1e-100
LARGEST: Final = 1e100


def _not_finite(values: "FloatArray") -> "BoolArray":
    return ~(abs(values) < inf)


def _not_positive(values: "FloatArray") -> "BoolArray":
    return values <= 0


def _out_of_bounds(values: "FloatArray") -> "BoolArray":
    return (values < SMALLEST) | (values > LARGEST)


def _not_finite_error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "magnitude-not-finite",
        "{column} {value} is not finite; a magnitude must be a number from 1e-100 to 1e100",
        where,
        column=column,
        value=value,
    )


def _not_positive_error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "magnitude-not-positive",
        "{column} {value} is not above 0; a magnitude must be a number from 1e-100 to 1e100",
        where,
        column=column,
        value=value,
    )


def _bounds_error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "magnitude-out-of-bounds",
        "{column} {value} is out of bounds; a magnitude must be a number from 1e-100 to 1e100",
        where,
        column=column,
        value=value,
    )


def _answers(perceived: "Perceived", rng: "np.random.Generator") -> "FloatArray":
    from ..crowds.answers import magnitudes

    return magnitudes(perceived, rng)


SCALE: Final = Scale(
    name="magnitude",
    numbers="magnitudes",
    smallest=SMALLEST,
    largest=LARGEST,
    faults=(
        Fault(_not_finite, _not_finite_error, is_lasting=True),
        Fault(_not_positive, _not_positive_error, is_lasting=True),
        Fault(_out_of_bounds, _bounds_error),
    ),
    level="ratio",
    axis="log",
    normalisations=("geometric", "additive", "none", "zlog", "n", "anchors", "model"),
    statistics=("median", "gmean", "trimmed", "model"),
    medians=("arithmetic", "geometric"),
    alpha=Text(
        "Krippendorff’s α for interval data, computed from the logarithms of the magnitudes, both "
        "normalised and raw (as the workers entered them)."
    ),
    answers=_answers,
)

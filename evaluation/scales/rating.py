"""Ratings: numbers on a scale that all workers share. Their differences have a meaning, but not their ratios.

Examples are grades from 0 to 3 and a slider from 0 to 100.
"""

from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..text import Text
from .scale import Fault, Scale, WithoutRatios

if TYPE_CHECKING:
    from ..arrays import BoolArray, FloatArray

SMALLEST: Final = 0.0
LARGEST: Final = 1000.0
"""Means of numbers up to 1024 are exact."""


def _out_of_bounds(values: "FloatArray") -> "BoolArray":
    return ~((values >= SMALLEST) & (values <= LARGEST))


def _bounds_error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "rating-out-of-bounds",
        "{column} {value} is out of bounds; a rating must be a number from 0 to 1000",
        where,
        column=column,
        value=value,
    )


def _ratios_error(where: str) -> InputError:
    return InputError(
        "ratings-without-ratios",
        "this analysis needs magnitudes, but the judgments are ratings, whose ratios have no meaning; use "
        "another analysis",
        where,
    )


SCALE: Final = Scale(
    name="rating",
    numbers="ratings",
    smallest=SMALLEST,
    largest=LARGEST,
    faults=(Fault(_out_of_bounds, _bounds_error, is_lasting=True),),
    level="interval",
    axis="linear",
    normalisations=("none", "mean", "z"),
    statistics=("median",),
    medians=("arithmetic",),
    alpha=Text(
        "Krippendorff’s α for interval data, computed from the normalised ratings and from the raw ratings."
    ),
    without_ratios=WithoutRatios(
        error=_ratios_error,
        missing=Text("The judgments are ratings, and ratios of ratings have no meaning."),
        gains=Text(
            "The gain of a document summarises its normalised ratings. The ranges of gains are equally wide."
        ),
    ),
)

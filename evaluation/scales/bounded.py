"""What all scales share whose numbers go from a smallest to a largest one, such as ratings and grades."""

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from ..errors import InputError
from ..text import Text
from .scale import Fault, Scale, WithoutRatios, ratios_error

if TYPE_CHECKING:
    from ..arrays import BoolArray, FloatArray
    from .scale import Answer


def bounds_faults(
    smallest: float, largest: float, error: Callable[[str, str, str], InputError]
) -> tuple[Fault, Fault]:
    """Return the faults of numbers outside the bounds.

    A normalised number can be above the largest number, because normalisation moves units to the mean of
    their topic. It is never below the smallest.
    """

    def too_small(values: "FloatArray") -> "BoolArray":
        return ~((values >= smallest) & (values < inf))

    def too_large(values: "FloatArray") -> "BoolArray":
        return values > largest

    return Fault(too_small, error, is_lasting=True), Fault(too_large, error)


def rating_scale(
    name: str, numbers: str, *, smallest: float, largest: float, answers: "Answer | None" = None
) -> Scale:
    """Return a scale of ratings: numbers on a scale that all workers share.

    Differences between them have a meaning, but not their ratios. `numbers` is the plural that sentences use.
    """

    def error(where: str, column: str, value: str) -> InputError:
        return InputError(
            "rating-out-of-bounds",
            "{column} {value} is out of bounds; a rating must be a number from {smallest} to {largest}",
            where,
            column=column,
            value=value,
            smallest=f"{smallest:g}",
            largest=f"{largest:g}",
        )

    return Scale(
        name=name,
        numbers=numbers,
        smallest=smallest,
        largest=largest,
        faults=bounds_faults(smallest, largest, error),
        level="interval",
        axis="linear",
        normalisations=("none", "mean", "z"),
        statistics=("median", "mean"),
        medians=("arithmetic",),
        alpha=Text(
            "Krippendorff’s α for interval data, computed from the normalised ratings and from the raw "
            "ratings."
        ),
        without_ratios=WithoutRatios(
            error=ratios_error(numbers),
            missing=Text("The judgments are ratings, and ratios of ratings have no meaning."),
            gains=Text(
                "The gain of a document summarises its normalised ratings. The ranges of gains are equally "
                "wide."
            ),
        ),
        answers=answers,
    )

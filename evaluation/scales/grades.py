"""Grades: labels such as “not relevant” and “highly relevant”. They have an order, but no distances.

A study has two to seven labels, whose numbers are 0, 1 and so on.
"""

from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..text import Text
from .scale import Fault, Scale, WithoutRatios, ratios_error

if TYPE_CHECKING:
    import numpy as np

    from ..arrays import BoolArray, FloatArray
    from ..crowds.answers import Perceived

LARGEST: Final = 6.0
"""The number of the seventh label."""


def _no_grade(values: "FloatArray") -> "BoolArray":
    has_fault: BoolArray = ~((values >= 0) & (values <= LARGEST) & (values.round() == values))
    return has_fault


def _error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "not-a-grade",
        "{column} {value} is not a grade; give a whole number from 0 to 6",
        where,
        column=column,
        value=value,
    )


def _answers(perceived: "Perceived", rng: "np.random.Generator") -> "FloatArray":
    from ..crowds.answers import answers_as_grades

    return answers_as_grades(perceived, rng)


SCALE: Final = Scale(
    name="grades",
    numbers="workers’ grades",
    smallest=0.0,
    largest=LARGEST,
    faults=(Fault(_no_grade, _error, is_lasting=True),),
    level="ordinal",
    axis="linear",
    normalisations=("none",),
    statistics=("median", "mean"),
    medians=("arithmetic",),
    alpha=Text("Krippendorff’s α for ordinal data, computed from the grades that the workers gave."),
    without_ratios=WithoutRatios(
        error=ratios_error("grades"),
        missing=Text("The judgments are grades, and ratios of grades have no meaning."),
        gains=Text(
            "The gain of a document summarises the grades that its workers gave. The ranges of gains are "
            "equally wide."
        ),
    ),
    answers=_answers,
)

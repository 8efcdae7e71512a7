"""Preferences: which of two documents is more relevant, or whether both are equally relevant.

The number of a judgment is the points of the document that was shown first: 1 if it is preferred, 0.5 if both
are equally relevant, and 0 if the second document is preferred.
"""

from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..text import Text
from .scale import Fault, Scale, WithoutRatios, ratios_error

if TYPE_CHECKING:
    import numpy as np

    from ..arrays import BoolArray, FloatArray
    from ..crowds.answers import Perceived


def _no_points(values: "FloatArray") -> "BoolArray":
    has_fault: BoolArray = ~((values == 0) | (values == 0.5) | (values == 1))
    return has_fault


def _error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "not-a-preference",
        "{column} {value} is not a preference; give 1 (the first document), 0 (the second) or 0.5 (both are "
        "equally relevant)",
        where,
        column=column,
        value=value,
    )


def _answers(perceived: "Perceived", rng: "np.random.Generator") -> "FloatArray":
    from ..crowds.answers import preferences_in_a_ring

    return preferences_in_a_ring(perceived, rng)


SCALE: Final = Scale(
    name="preference",
    numbers="preferences",
    smallest=0.0,
    largest=1.0,
    faults=(Fault(_no_points, _error, is_lasting=True),),
    level="ordinal",
    axis="linear",
    normalisations=("none",),
    statistics=("worth", "chance"),
    medians=("arithmetic",),
    alpha=Text(
        "Krippendorff’s α for ordinal data, computed from the pairs of documents that two or more judgments "
        "compare. Each pair counts in both directions."
    ),
    without_ratios=WithoutRatios(
        error=ratios_error("preferences"),
        missing=Text("The judgments are preferences between two documents, so they have no ratios."),
        gains=Text(
            "The gain of a document is its chance to be preferred to another document of its topic. The "
            "ranges of gains are equally wide."
        ),
    ),
    compares_pairs=True,
    ratio_statistics=("worth",),
    answers=_answers,
)

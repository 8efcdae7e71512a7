from evaluation.errors import InputError
from evaluation.scales.scale import Fault, Scale, WithoutRatios
from evaluation.text import Text


def bounds_error(where: str, column: str, value: str) -> InputError:
    return InputError(
        "points-out-of-bounds",
        "{column} {value} is out of bounds; give 0 to 10 points",
        where,
        column=column,
        value=value,
    )


def ratios_error(where: str) -> InputError:
    return InputError(
        "points-without-ratios", "ratios of points have no meaning; use another analysis", where
    )


POINTS = Scale(
    name="points",
    numbers="points",
    smallest=0,
    largest=10,
    faults=(Fault(lambda values: ~((values >= 0) & (values <= 10)), bounds_error, is_lasting=True),),
    level="interval",
    axis="linear",
    normalisations=("none", "mean", "z"),
    statistics=("median",),
    medians=("arithmetic",),
    alpha=Text("Krippendorff’s α for interval data, computed from the points."),
    without_ratios=WithoutRatios(
        error=ratios_error,
        missing=Text("The judgments are points, and ratios of points have no meaning."),
        gains=Text("The gain of a document summarises its points. The ranges of gains are equally wide."),
    ),
)

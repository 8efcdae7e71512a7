"""Magnitude estimation: any positive number, of which only the ratios count ([T15] 3.2)."""

from random import Random
from typing import Final

from judging.protocol.magnitude import LARGEST, SMALLEST, parse
from judging.protocol.scales.scale import Judging, Scale, Words
from judging.protocol.words import gettext_noop as _

_FRACTIONS: Final = {0.5: "1/2", 0.25: "1/4", 0.75: "3/4", 1.5: "1 1/2", 2.5: "2 1/2"}


def write_number(value: float, rng: Random, *, comma: bool) -> str:
    """Return `value` as a person types it, sometimes as a fraction.

    If `comma` is true, use a decimal comma.
    """
    if value in _FRACTIONS and rng.random() < 0.2:
        return _FRACTIONS[value]
    plain = f"{value:.10f}".rstrip("0").rstrip(".") if 1e-9 <= value < 1e15 else f"{value:g}"
    return plain.replace(".", ",") if comma else plain


SCALE: Final = Scale(
    name="magnitude",
    library="magnitude",
    words=Words(
        description=_("magnitude: any positive numbers; their ratios matter."),
        number=_("Magnitude"),
        numbers=_("Magnitudes"),
        normalised=_("Normalised magnitude"),
        documents=_(
            "For each document: the median of the normalised magnitudes, its 95 % bootstrap interval, the "
            "width of the interval, the spread (as a factor), and the smallest and largest magnitude."
        ),
        disagreement=_(
            "Disagreement compares a document’s median with the median of all judged documents in this "
            "topic that have the same known grade. It is the larger median divided by the smaller one."
        ),
        invalid=_("{value} is not a magnitude. Write a number from 1e-100 to 1e100."),
        alpha="understanding/_alpha_of_magnitudes.html",
    ),
    smallest=SMALLEST,
    largest=LARGEST,
    has_ratios=True,
    axis="log",
    judging=Judging(
        field="worker/_magnitude.html",
        parse=parse,
        instructions=("instructions_magnitude",),
        practice="a",
        write=write_number,
        examples={"H": "100", "N": "1", "": "10"},
    ),
)

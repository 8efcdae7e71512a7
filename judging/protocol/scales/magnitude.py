"""Magnitude estimation: any positive number, of which only the ratios count ([T15] 3.2)."""

from random import Random
from typing import Final

from judging.protocol.magnitude import LARGEST, SMALLEST, Magnitude, parse
from judging.protocol.scales.answers import ascends, ratios_to_first
from judging.protocol.scales.scale import Asked, Judging, Practice, Scale, Settings, Words
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


def parse_typed(text: str, study: Settings, *, mark: str = ".") -> Magnitude:
    """Parse `text` as a magnitude, with fractions if the study allows them."""
    return parse(text, with_fractions=study.with_fractions, mark=mark)


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
        parse=parse_typed,
        asked=Asked(
            instructions=_("How to answer with numbers"),
            document=_("How relevant is this document? Your number"),
            reason=_("Why this number?"),
            no_reason=_("Please say in a few words why you chose this number."),
            answers=_("Your numbers so far:"),
        ),
        instructions=("instructions_magnitude",),
        settings=("numbers",),
        practice=Practice(
            template="worker/practice/_line.html",
            field="worker/_magnitude.html",
            passes=ascends,
            failed=_(
                "Last time, your numbers did not match the lengths. A longer line must have a larger number"
                " than a shorter line. Here are three new lines."
            ),
            recap=ratios_to_first,
            right=lambda lengths, line, study: str(lengths[line]),
        ),
        write=write_number,
        examples={"H": "100", "N": "1", "": "10"},
        prompts=("magnitude",),
    ),
)

"""0–100: numbers from 0, not relevant at all, to 100, as relevant as possible, typed or set with a slider."""

from random import Random
from typing import Final

from judging.protocol.hundred import LARGEST, SMALLEST, Hundred, parse
from judging.protocol.scales.answers import LONGEST, ascends, shares_of_frame
from judging.protocol.scales.scale import Asked, Judging, Practice, Scale, Settings, Words
from judging.protocol.words import gettext_noop as _


def write_number(value: float, rng: Random, *, comma: bool) -> str:
    """Return `value` as a person types it. If `comma` is true, use a decimal comma."""
    plain = f"{value:.10f}".rstrip("0").rstrip(".")
    return plain.replace(".", ",") if comma else plain


def parse_typed(text: str, study: Settings, *, mark: str = ".") -> Hundred:
    """Parse `text` as a number from 0 to 100, with fractions if the study allows them."""
    return parse(text, with_fractions=study.with_fractions, mark=mark)


SCALE: Final = Scale(
    name="0-100",
    library="0-100",
    words=Words(
        description=_("0-100: a number from 0 to 100, typed or set with a slider."),
        number=_("Number from 0 to 100"),
        numbers=_("Numbers from 0 to 100"),
        normalised=_("Normalised number"),
        documents=_(
            "For each document: the median of the normalised numbers, its 95 % bootstrap interval, the "
            "width of the interval, the spread, and the smallest and largest number."
        ),
        disagreement=_(
            "Disagreement is the difference between a document’s median and the median of all judged "
            "documents in this topic that have the same known grade."
        ),
        invalid=_("{value} is not on the scale. Write a number from 0 to 100."),
        alpha="understanding/_alpha_of_numbers.html",
    ),
    smallest=SMALLEST,
    largest=LARGEST,
    has_ratios=False,
    axis="linear",
    judging=Judging(
        field="worker/_slider.html",
        parse=parse_typed,
        asked=Asked(
            instructions=_("How to answer with numbers from 0 to 100"),
            document=_("How relevant is this document? Your number from 0 to 100"),
            reason=_("Why this number?"),
            no_reason=_("Please say in a few words why you chose this number."),
            answers=_("Your numbers so far:"),
        ),
        instructions=("instructions_0_100",),
        settings=("numbers",),
        scripts=("js/slider.js", "js/magnitude.js"),
        practice=Practice(
            template="worker/practice/_share.html",
            field="worker/_slider.html",
            passes=ascends,
            failed=_(
                "Last time, your numbers did not match the lengths. A longer line must have a larger number"
                " than a shorter line. Here are three new lines."
            ),
            recap=shares_of_frame,
            right=lambda lengths, line, study: f"{100 * lengths[line] / LONGEST:g}",
            answer=_("Your number from 0 to 100"),
        ),
        write=write_number,
        examples={"H": "95", "N": "5", "": "50"},
        prompts=("0-100",),
    ),
)

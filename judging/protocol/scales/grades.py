"""Grades: workers choose one of the study's own labels, such as “not relevant” and “highly relevant”."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from judging.protocol.scales.answers import never_descends, steps_of_lines
from judging.protocol.scales.scale import Asked, Judging, Practice, Scale, Settings, Words
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_NONE_CHOSEN: Final = Sentence(_("Please choose one of the answers."))
_NOT_AN_ANSWER: Final = Sentence(_("This is not one of the answers. Please choose one of them."))


@dataclass(frozen=True)
class Chosen:
    """The option that a worker chose, by its number from 0. It is valid if one of `most` options has it."""

    text: str
    most: int
    echo: str = ""

    @property
    def value(self) -> float | None:
        """Return the number of the option, or None if there is no such option."""
        text = self.text.strip()
        is_number = text.isascii() and text.isdecimal() and len(text) < 3
        return float(text) if is_number and int(text) < self.most else None

    @property
    def fault(self) -> str | None:
        """Return "empty" or "range" if no option is chosen, otherwise None."""
        if self.value is not None:
            return None
        return "range" if self.text.strip() else "empty"

    @property
    def message(self) -> Sentence | None:
        """Return the error message for the worker, or None."""
        return {None: None, "empty": _NONE_CHOSEN, "range": _NOT_AN_ANSWER}[self.fault]


def parse(text: str, study: Settings, *, mark: str = ".") -> Chosen:
    """Read the number of the label that a worker chose."""
    return Chosen(text, len(study.labels))


def show(text: str, study: Settings) -> str:
    """Return the label that a worker chose. Return text that is not the number of a label unchanged."""
    chosen = parse(text, study).value
    return text if chosen is None else study.labels[int(chosen)]


def write(value: float, rng: Random, *, comma: bool) -> str:
    """Return the number of a label as the form sends it."""
    return str(int(value))


def right_step(lengths: Sequence[int], line: int, study: Settings) -> str:
    """Return the step of a line: the first for the shortest line, and the last for the longest."""
    shorter = sorted(lengths).index(lengths[line])
    return str(round(shorter * (len(study.labels) - 1) / (len(lengths) - 1)))


SCALE: Final = Scale(
    name="grades",
    library="grades",
    words=Words(
        description=_("grades: one of two to seven labels of your own, such as “relevant”."),
        number=_("Grade"),
        numbers=_("Grades"),
        normalised=_("Grade"),
        documents=_(
            "For each document: the median of the grades, its 95 % bootstrap interval, the width of the "
            "interval, the spread, and the lowest and highest grade. Grades count from 0."
        ),
        disagreement=_(
            "Disagreement is the difference between a document’s median and the median of all judged "
            "documents in this topic that have the same known grade."
        ),
        invalid=_("{value} is not a grade of this study. Write a whole number from 0 to {largest}."),
        alpha="understanding/_alpha_of_numbers.html",
    ),
    smallest=0.0,
    largest=6.0,
    has_ratios=False,
    axis="linear",
    choices=lambda study: study.labels,
    judging=Judging(
        field="worker/_grades.html",
        parse=parse,
        asked=Asked(
            instructions=_("How to answer"),
            document=_("How relevant is this document?"),
            reason=_("Why this answer?"),
            no_reason=_("Please say in a few words why you chose this answer."),
            answers=_("Your answers so far:"),
        ),
        instructions=("instructions_grades",),
        settings=("labels",),
        scripts=(),
        practice=Practice(
            template="worker/practice/_three_lines.html",
            field="worker/practice/_steps.html",
            passes=never_descends,
            failed=_(
                "Last time, your answers did not match the lengths. The longest line must have a higher step"
                " than the shortest line. Here are three new lines."
            ),
            recap=steps_of_lines,
            right=right_step,
            answer=_("Your step"),
        ),
        write=write,
        show=show,
        # The second label is also the last one if a study has only two.
        examples={"H": "1", "N": "0", "": "0"},
    ),
)

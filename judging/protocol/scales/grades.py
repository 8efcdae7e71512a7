"""Grades: workers choose one of the study's own labels, such as “not relevant” and “highly relevant”."""

from collections.abc import Sequence
from random import Random
from typing import Final

from judging.protocol.scales.answers import never_descends, steps_of_lines
from judging.protocol.scales.choice import Chosen, Option, read_choice
from judging.protocol.scales.scale import Asked, Judging, Practice, Scale, Settings, Words
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _


def labels_of(study: Settings) -> list[Option]:
    """Return the labels of a study as options. They are numbered from 0, the lowest."""
    return [Option(str(number), number, label) for number, label in enumerate(study.labels)]


def steps_of(study: Settings) -> list[Option]:
    """Return as many steps for lines as the study has labels. Workers see them numbered from 1."""
    last = len(study.labels) - 1
    words = {0: _("{step} – shortest"), last: _("{step} – longest")}
    return [
        Option(str(number), number, Sentence(words.get(number, "{step}"), {"step": number + 1}))
        for number in range(last + 1)
    ]


def parse(text: str, study: Settings, *, mark: str = ".") -> Chosen:
    """Read the number of the label that a worker chose."""
    return read_choice(text, labels_of(study))


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
    only=lambda study: range(len(study.labels)),
    judging=Judging(
        field="worker/_options.html",
        parse=parse,
        options=labels_of,
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
            field="worker/_options.html",
            options=steps_of,
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
        # The second label is also the last one if a study has only two.
        examples={"H": "1", "N": "0", "": "0"},
        prompts=("umbrela",),
    ),
)

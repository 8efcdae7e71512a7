"""Preferences: a worker sees two documents, and says which of them is more relevant.

The number of a judgment is the points of the document that is shown first: 1 if the worker prefers it, 0 if
the worker prefers the second one, and 0.5 if both are equally relevant. `judging.protocol.ring` says which
documents meet in a unit, and `evaluation.pairwise` computes gains from the points.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from judging.protocol.scales.answers import order_in_pair
from judging.protocol.scales.choice import Chosen, Option, read_choice
from judging.protocol.scales.scale import Asked, Judging, Practice, Scale, Settings, Told, Words
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _

FIRST: Final = "1"
EQUAL: Final = "0.5"
SECOND: Final = "0"
_OPTIONS: Final = (
    Option(FIRST, 1.0, Sentence(_("The first document"))),
    Option(EQUAL, 0.5, Sentence(_("Both equally"))),
    Option(SECOND, 0.0, Sentence(_("The second document"))),
)
_LINES: Final = (
    Option(FIRST, 1.0, Sentence(_("The first line"))),
    Option(EQUAL, 0.5, Sentence(_("Both equally"))),
    Option(SECOND, 0.0, Sentence(_("The second line"))),
)


def parse_chosen(text: str, study: Settings, *, mark: str = ".") -> Chosen:
    """Return the option that a worker chose."""
    return read_choice(text, _OPTIONS)


def write_points(value: float, rng: Random, *, comma: bool) -> str:
    """Return the value of the option with these points."""
    return next(option.value for option in _OPTIONS if option.number == value)


def longer_line(lengths: Sequence[int], line: int, study: Settings | None = None) -> str:
    """Return the right answer for the pair of a line and the next one, in a ring."""
    return FIRST if lengths[line] > lengths[(line + 1) % len(lengths)] else SECOND


def finds_longer_lines(lengths: Sequence[int], points: Sequence[float]) -> bool:
    """Return whether the longer line of each pair is chosen.

    Somebody who chooses at random among the three options passes one time in 27. Of two lines, one is always
    at least 1.6 times as long as the other, so “both equally” is never right.
    """
    right = [float(longer_line(lengths, line)) for line in range(len(lengths))]
    return right == list(points)


def chosen_lines(lengths: Sequence[int], points: Sequence[float]) -> list[tuple[Told, Told]]:
    """Return the longer line of each pair, and the line that the worker chose."""
    words = {option.number: option.words for option in _LINES}
    return [(words[float(longer_line(lengths, line))], words[chosen]) for line, chosen in enumerate(points)]


SCALE: Final = Scale(
    name="preference",
    library="preference",
    words=Words(
        description=_("preference: two documents at a time; workers say which is more relevant."),
        number=_("Points of the first document"),
        numbers=_("Preferences"),
        normalised=_("Points of the first document"),
        documents=_(
            "For each document: its worth, which comes from all comparisons in the topic, and the 95 %"
            " interval of the worth. A document with twice the worth of another is preferred to it twice as"
            " often as the other way round."
        ),
        disagreement=_(
            "Disagreement compares a document’s worth with the median of all judged documents in this topic"
            " that have the same known grade. It is the larger number divided by the smaller one."
        ),
        invalid=_(
            "{value} is not a preference. Write 1 for the first document, 0 for the second one, or 0.5 for a"
            " tie."
        ),
        alpha="understanding/_alpha_of_preferences.html",
        gain=_("Worth"),
    ),
    smallest=0.0,
    largest=1.0,
    has_ratios=False,
    axis="linear",
    only=lambda study: [option.number for option in reversed(_OPTIONS)],
    judging=Judging(
        field="worker/_options.html",
        parse=parse_chosen,
        scripts=(),
        options=lambda study: _OPTIONS,
        asked=Asked(
            instructions=_("How to compare"),
            document=_("Which document is more relevant?"),
            reason=_("Why?"),
            no_reason=_("Please say in a few words why you chose this answer."),
            answers=_("Your answers so far:"),
            work=ngettext_noop(
                "Compare {number} pair of short documents. Choose the more relevant one, and give a reason.",
                "Compare {number} pairs of short documents. Choose the more relevant one, and give a reason.",
            ),
            place=_("Pair {place} of {places}"),
            sets=_(
                "You read sets of {number} documents, two at a time. Each time, you choose the more relevant"
                " document, and you give a reason."
            ),
            earlier=_("pair {place}: {answer}"),
            go_to=_("Go to any pair"),
            opens=_("When you open another pair, we save what you typed above."),
        ),
        instructions=("instructions_preference",),
        practice=Practice(
            template="worker/practice/_two_lines.html",
            field="worker/_options.html",
            recap=chosen_lines,
            told=_("Longer line"),
            options=lambda study: _LINES,
            answer=_("Which line is longer?"),
            place=_("Pair {place} of {places}"),
            passes=finds_longer_lines,
            failed=_("Last time, you did not choose the longer line of each pair. Here are three new lines."),
            right=longer_line,
        ),
        write=write_points,
        examples={"H": FIRST, "N": SECOND, "": EQUAL},
        prompts=("preference",),
        order=order_in_pair,
        compares_pairs=True,
    ),
)

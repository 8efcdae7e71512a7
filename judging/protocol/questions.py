"""What makes a comprehension question a good one, as far as rules can see it.

A question tests whether the need was understood. So somebody who skipped the topic must not be able to pick
the right option by its looks: by its length, by words that it alone shares with the topic, or because the
others are no real options.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from judging.protocol.checks.comprehension import OPTIONS

_CATCH_ALL: Final = re.compile(r"\b(all|none|both|any|neither) of (the|these|those|them)\b", re.IGNORECASE)
_LONGER: Final = 1.4
_BY: Final = 10
"""The right option stands out where it is so many times, and letters, longer than the mean of the others."""
_SHORTEST_WORD: Final = 4


@dataclass(frozen=True)
class Advice:
    """One entry of the checklist: whether it holds, and the sentence that says what is asked."""

    holds: bool
    what: str


def question_advice(question: str, options: Sequence[str], right: int | None, topic: str) -> list[Advice]:
    """The checklist for a question; `right` is the place of the right option, `topic` its title and texts."""
    given = [option for option in options if option.strip()]
    different = {" ".join(option.lower().split()) for option in given}
    advice = [
        Advice(bool(question.strip()), "There is a question."),
        Advice(
            len(given) == len(different) == OPTIONS,
            f"There are {OPTIONS} options, and they differ in more than their capitals.",
        ),
        Advice(right is not None and right < len(given), "One option is marked as the right one."),
        Advice(
            bool(given) and not any(_CATCH_ALL.search(option) for option in given),
            "No option is “all of these” or “none of these”: the options are shuffled for each worker.",
        ),
    ]
    if right is None or right >= len(given) or len(given) < OPTIONS:
        return advice
    others = [option for place, option in enumerate(given) if place != right]
    mean = sum(map(len, others)) / len(others)
    shared = [len(_words(option) & _words(topic)) for option in others]
    return [
        *advice,
        Advice(
            len(given[right]) <= max(_LONGER * mean, mean + _BY),
            "The right option is not much longer than the others.",
        ),
        Advice(
            len(_words(given[right]) & _words(topic)) <= max(shared) + 1,
            "The right option does not repeat more words of the topic than a wrong one does.",
        ),
    ]


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) >= _SHORTEST_WORD}

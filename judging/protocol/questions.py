"""Rules for a good comprehension question.

A question tests whether a worker understood the topic. A worker who skipped the topic must not be able to
guess the right option. So the right option must not stand out by its length or by words from the topic, and
the other options must be plausible.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.words import gettext_noop as _

_CATCH_ALL: Final = re.compile(r"\b(all|none|both|any|neither) of (the|these|those|them)\b", re.IGNORECASE)
_LONGER: Final = 1.4
_MARGIN: Final = 10
"""The right option may be this many characters longer than the mean length of the other options.

Alternatively, it may be up to `_LONGER` times as long as the mean. The larger limit applies.
"""
_SHORTEST_WORD: Final = 4


@dataclass(frozen=True)
class Advice:
    """One entry of the checklist: a rule, and whether the question follows it."""

    holds: bool
    rule: str


def question_advice(question: str, options: Sequence[str], right: int | None, topic: str) -> list[Advice]:
    """Return the checklist for a question.

    `right` is the index of the right option, or None if no option is marked. `topic` is the topic's title and
    texts.
    """
    filled = [option for option in options if option.strip()]
    different = {" ".join(option.lower().split()) for option in filled}
    advice = [
        Advice(bool(question.strip()), _("The topic has a question.")),
        Advice(
            len(filled) == len(different) == OPTIONS,
            _("There are four options, and no two of them are the same."),
        ),
        Advice(right is not None and right < len(filled), _("One option is marked as the right one.")),
        Advice(
            bool(filled) and not any(_CATCH_ALL.search(option) for option in filled),
            _("No option is “all of these” or “none of these”, because the options are shuffled."),
        ),
    ]
    if right is None or right >= len(filled) or len(filled) < OPTIONS:
        return advice
    others = [option for place, option in enumerate(filled) if place != right]
    mean = sum(map(len, others)) / len(others)
    shared = [len(words_of(option) & words_of(topic)) for option in others]
    return [
        *advice,
        Advice(
            len(filled[right]) <= max(_LONGER * mean, mean + _MARGIN),
            _("The right option is not much longer than the others."),
        ),
        Advice(
            len(words_of(filled[right]) & words_of(topic)) <= max(shared) + 1,
            _("The right option does not share many more words with the topic than the wrong options do."),
        ),
    ]


def words_of(text: str) -> set[str]:
    """Return the words of a text in lower case, without those that are too short to tell anything."""
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) >= _SHORTEST_WORD}

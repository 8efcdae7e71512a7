"""Draft a comprehension question from the descriptions of topics.

The right option says what this topic asks for, and the wrong options say what other topics ask for. A worker
who has read the topic can tell them apart. The right option repeats words of the topic, so workers could
guess it by comparing words. The checklist in `protocol.questions` points this out, so that a researcher
rewords it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 160
"""The maximum number of characters of an option. Longer ones are cut between words."""
_END: Final = re.compile(r"(?<=[.?!。؟])\s+")


@dataclass(frozen=True)
class Draft:
    """A question with its options. `right` is the index of the right option, or None if it is unknown."""

    question: str
    options: list[str]
    right: int | None


def draft_question(typed: Draft, *, question: str, topic: str, others: Sequence[str]) -> Draft:
    """Return what was typed, with its empty fields filled in.

    `question` is the text of the question if none was typed. `topic` is the description of the topic, and
    `others` are the descriptions of other topics. The right option is the start of `topic`. It goes to the
    option that was marked as right, or else to the first empty one. If the option that was marked as right
    has a text, that text is the right option. The wrong options are those of `others` that are closest in
    length to the right one, because its length must not give it away. Fields for which there is no text stay
    empty.
    """
    options, right = list(typed.options), typed.right
    empty = [place for place, option in enumerate(options) if not option.strip()]
    own = as_option(topic)
    if empty and own and (right is None or right in empty):
        right = empty[0] if right is None else right
        options[right] = own
    used = {_folded(option) for option in (*options, own)}
    by_text = {_folded(option): option for option in reversed([as_option(other) for other in others])}
    length = len(options[right]) if right is not None else len(own)
    wrong = [option for text, option in reversed(by_text.items()) if text and text not in used]
    wrong.sort(key=lambda option: abs(len(option) - length))
    for place, option in zip((place for place in empty if place != right), wrong, strict=False):
        options[place] = option
    return Draft(typed.question if typed.question.strip() else question, options, right)


def as_option(description: str) -> str:
    """Return the first sentence of a description, cut between words if it is too long for an option."""
    sentence = _END.split(" ".join(description.split()), maxsplit=1)[0]
    if len(sentence) <= LONGEST:
        return sentence
    return f"{sentence[:LONGEST].rpartition(' ')[0] or sentence[:LONGEST]} …"


def _folded(option: str) -> str:
    return " ".join(option.lower().split())

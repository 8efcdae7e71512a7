"""Draft a comprehension question from the descriptions of topics.

The right option says what the topic of the question asks for. The wrong options say what other topics ask
for. A worker who has read the topic knows which option is right. The title stands above the question, so an
option is a sentence that does not repeat the title, if the topic has one. But the right option still repeats
words of the topic, so other workers could guess it by comparing words. The checklist in `protocol.questions`
points this out, so that a researcher can reword the option.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from judging.protocol.questions import words_of

LONGEST: Final = 160
"""The maximum number of characters of an option. Longer options are cut between words."""
_REPEATS: Final = 0.5
_END: Final = re.compile(r"(?<=[.?!。؟])\s+")


@dataclass(frozen=True)
class Draft:
    """A question with its options. `right` is the index of the right option, or None if it is unknown."""

    question: str
    options: list[str]
    right: int | None


class TopicText(NamedTuple):
    """The title of a topic, and the text that says what the topic asks for."""

    title: str
    text: str


def draft_question(typed: Draft, *, question: str, topic: TopicText, others: Sequence[TopicText]) -> Draft:
    """Return the typed question and options, with the empty fields filled in.

    `question` is used if no question was typed. `others` are the other topics. If an option with text is
    marked as right, it stays the right option. Otherwise, the right option is a sentence of `topic`, which
    `as_option` chooses. This sentence goes into the option that is marked as right or, if no option is
    marked, into the first empty option. The other empty options get such sentences of `others`. Sentences
    that are about as long as the right option are used first, because the right option must not stand out by
    its length. If there is not enough text, some fields stay empty.
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


def as_option(topic: TopicText) -> str:
    """Return the first sentence of a topic's text that does not repeat the title, or "" if there is no text.

    A sentence repeats the title if it has at least half of the title's words. If all sentences repeat the
    title, return the one with the fewest of its words. Cut it between words if it is too long for an option.
    """
    title = words_of(topic.title)

    def repeated(sentence: str) -> float:
        share = len(title & words_of(sentence)) / max(len(title), 1)
        return share if share >= _REPEATS else 0

    sentence = min(_END.split(" ".join(topic.text.split())), key=repeated)
    if len(sentence) <= LONGEST:
        return sentence
    return f"{sentence[:LONGEST].rpartition(' ')[0] or sentence[:LONGEST]} …"


def _folded(option: str) -> str:
    return " ".join(option.lower().split())

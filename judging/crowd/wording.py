"""The topics and documents that a worker reads, and short reasons made from their words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON_TEXT: Final = """
    about above after again against also although always among another around away back because been
    before being below between both cannot come comes could does down each either enough even ever every
    find first from give given gives goes good have here high however into itself just keep kept know
    last least left less like little long made make makes many might more most much must near need needs
    never next none nothing often once only other others over part rather same seen several should since
    some soon still such take taken takes than that their them then there these they thing things this
    those though through time times under until upon very want well were what when where whether which
    while whole whose will with within without word work would year years your document relevant
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())

_RELEVANT: Final = (
    "Explains {word} and {other}, which is what was asked.",
    "Mostly about {shared}, says a lot on {word}.",
    "Answers the question well, {word} and {other} are both covered.",
    "Directly on {shared}.",
    "Useful: it goes into {word} in detail.",
)
_PARTLY: Final = (
    "Touches on {shared}, but mainly about {word}.",
    "Some of it helps, the part on {word}.",
    "Has {word} and {other}, only half of what is needed.",
    "A bit about {shared}, not enough.",
    "On the subject, but {word} is not really the point.",
)
_OFF: Final = (
    "About {word}, not about {topic}.",
    "Nothing on {topic} here.",
    "It is on {word} and {other}, a different subject.",
    "Does not help, only {word}.",
    "Not what I was looking for: {word}.",
)
_BETTER: Final = (
    "The {which} one explains {word}, the other one is about {other}.",
    "The {which} one is closer to {shared}.",
    "More on {word} in the {which} one.",
    "{other} is not what was asked, {word} is.",
)
_SAME: Final = (
    "Both are about {word}.",
    "{word} in one, {other} in the other, the same for me.",
    "Neither says more on {shared}.",
)
_SKIMMED: Final = ("about {word}", "{word}", "has {word} in it", "some {word}")
_EMPTY: Final = ("good", "ok", "relevant", "not relevant", "its fine", "nice text", "yes")


def content_words(text: str) -> tuple[str, ...]:
    """Return the 20 most frequent content words of a text. Words of equal frequency stay in text order."""
    counts = Counter(word for word in _WORD.findall(text.lower()) if word not in _COMMON)
    return tuple(word for word, _ in counts.most_common(20))


@dataclass(frozen=True)
class TopicText:
    """A topic as a worker reads it."""

    title: str
    text: str
    words: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", content_words(f"{self.title} {self.title} {self.text}"))


@dataclass(frozen=True)
class DocumentText:
    """A document as a worker reads it, its true level (see `evaluation.crowds`), and whether it is an anchor.

    Workers do not know which documents are anchors. Still, workers agree more on anchors, because the
    relevance of an anchor is clear.
    """

    title: str
    text: str
    level: float
    is_anchor: bool = False
    words: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", content_words(f"{self.title} {self.text}"))


def reason(topic: TopicText, document: DocumentText, share: float, rng: Random) -> str:
    """Return a reason as a worker who has read the document would write it.

    `share` says how relevant the document seems, from 0 to 1.
    """
    forms = _RELEVANT if share > 0.62 else _PARTLY if share > 0.28 else _OFF
    words = document.words[:8] or topic.words[:8] or ("this",)
    shared = [word for word in document.words if word in topic.words] or words
    word, other = rng.sample(words, 2) if len(words) > 1 else words * 2
    return rng.choice(forms).format(
        word=word, other=other, shared=rng.choice(shared), topic=topic.title.lower()
    )


def reason_for_choice(topic: TopicText, pair: Sequence[DocumentText], points: float, rng: Random) -> str:
    """Return a reason for a choice between two documents, as a worker who has read both would write it.

    `points` are those of the first document.
    """
    better, worse = pair if points >= 0.5 else reversed(pair)
    words = better.words[:8] or topic.words[:8] or ("this",)
    shared = [word for word in better.words if word in topic.words] or words
    return rng.choice(_SAME if points == 0.5 else _BETTER).format(
        which="first" if points > 0.5 else "second",
        word=rng.choice(words),
        other=rng.choice(worse.words[:8] or topic.words[:8] or ("that",)),
        shared=rng.choice(shared),
    )


def skimmed_reason(document: DocumentText, rng: Random) -> str:
    """Return a reason as a worker who has only skimmed the document would write it."""
    return rng.choice(_SKIMMED).format(word=rng.choice(document.words[:8] or ("this",)))


def empty_reason(rng: Random) -> str:
    """Return a reason as a worker who has not read the document would write it."""
    return rng.choice(_EMPTY)

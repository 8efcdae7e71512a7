"""The words of a report: stored in English with their values, and shown in the language of the page."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from django.utils.translation import gettext

from judging.core.words import Translatable, translated
from judging.protocol.words import Sentence


class StoredSentence(TypedDict):
    """A `Sentence` in JSON. Values that are sentences are stored in the same way."""

    text: str
    values: dict[str, object]
    many: str


Words = str | StoredSentence | Sequence[str | StoredSentence]
"""English text without placeholders, a sentence with values, or a list of these."""


def stored(words: str | Translatable) -> str | StoredSentence:
    """Return words in the form in which a report stores them.

    `words` can be a sentence of the site, a text of a report, or an error from the library. Sentences
    within a sentence are stored in the same way. Numbers stay numbers, and all other values become strings.
    """
    if isinstance(words, str):
        return words
    values = {name: _stored_value(value) for name, value in words.values.items()}
    return {"text": words.text, "values": values, "many": getattr(words, "many", "")}


def _stored_value(value: object) -> object:
    if isinstance(value, Translatable):
        return stored(value)
    return value if isinstance(value, int | float) else str(value)


def in_language(words: Words | Translatable) -> str:
    """Return words of a report in the language that is active now.

    Earlier versions stored reports with plain English text, which is shown as it is.
    """
    if isinstance(words, str):
        return gettext(words) if words else ""
    if isinstance(words, dict):
        return translated(_sentence(words))
    if isinstance(words, Translatable):
        return translated(words)
    return " ".join(in_language(part) for part in words)


def _sentence(words: Mapping[str, Any]) -> Sentence:
    values = {
        name: _sentence(value) if isinstance(value, dict) else value
        for name, value in words["values"].items()
    }
    return Sentence(words["text"], values, words["many"])

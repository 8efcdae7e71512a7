"""Sentences as JSON, for the readings and results that the database stores."""

from typing import Any

from judging.core.words import translated
from judging.protocol.words import Sentence

StoredSentence = str | dict[str, Any]
"""A sentence as JSON. A plain string is an English sentence that an earlier version stored."""


def to_json(sentence: Sentence | str, *, without: str = "") -> StoredSentence:
    """Return a sentence as JSON: `{"text", "values", "many"}`. Remove the path `without` from its values."""
    if isinstance(sentence, str):
        return _plain(sentence, without)
    values = {name: _stored_value(value, without) for name, value in sentence.values.items()}
    return {"text": sentence.text, "values": values, "many": sentence.many}


def from_json(stored: StoredSentence) -> Sentence | str:
    """Return the sentence that `to_json` made."""
    if isinstance(stored, str):
        return stored
    values = {
        name: from_json(value) if isinstance(value, dict) else value
        for name, value in stored["values"].items()
    }
    return Sentence(stored["text"], values, stored["many"])


def in_language(stored: StoredSentence) -> str:
    """Return a stored sentence in the language that is active now."""
    sentence = from_json(stored)
    return sentence if isinstance(sentence, str) else translated(sentence)


def _stored_value(value: object, without: str) -> object:
    if isinstance(value, Sentence):
        return to_json(value, without=without)
    return value if isinstance(value, int | float) else _plain(str(value), without)


def _plain(text: str, without: str) -> str:
    return " ".join((text.replace(without, "") if without else text).split())

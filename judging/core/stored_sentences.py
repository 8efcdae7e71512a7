"""Sentences as JSON, so that the database can store them and pages can translate them later."""

from typing import Any

from judging.core.words import translated
from judging.protocol.words import Sentence

StoredSentence = str | dict[str, Any]
"""A sentence as JSON. A plain string is an English sentence that an earlier version stored."""


def to_json(sentence: Sentence | str, *, without: str = "", replacement: str = "") -> StoredSentence:
    """Return a sentence as JSON: `{"text", "values", "many"}`.

    If the values or the plain string contain the path `without`, the result has `replacement` in its place.
    This hides the server's folders from readers.
    """
    if isinstance(sentence, str):
        return _one_line(sentence, without, replacement)
    values = {name: _stored_value(value, without, replacement) for name, value in sentence.values.items()}
    return {"text": sentence.text, "values": values, "many": sentence.many}


def from_json(stored: StoredSentence) -> Sentence | str:
    """Return a sentence from the JSON that `to_json` returned."""
    if isinstance(stored, str):
        return stored
    values = {
        name: from_json(value) if isinstance(value, dict) else value
        for name, value in stored["values"].items()
    }
    return Sentence(stored["text"], values, stored["many"])


def in_language(stored: StoredSentence) -> str:
    """Return a stored sentence in the active language."""
    sentence = from_json(stored)
    return sentence if isinstance(sentence, str) else translated(sentence)


def in_english(value: Any) -> Any:
    """Return a stored JSON value in which every sentence is replaced by its English text."""
    if isinstance(value, dict):
        if value.keys() == {"text", "values", "many"}:
            return str(from_json(value))
        return {key: in_english(part) for key, part in value.items()}
    return [in_english(part) for part in value] if isinstance(value, list) else value


def _stored_value(value: object, without: str, replacement: str) -> object:
    if isinstance(value, Sentence):
        return to_json(value, without=without, replacement=replacement)
    return value if isinstance(value, int | float) else _one_line(str(value), without, replacement)


def _one_line(text: str, without: str, replacement: str) -> str:
    return " ".join((text.replace(without, replacement) if without else text).split())

"""Translate sentences from the protocol and errors from `evaluation` into the active language."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Protocol, runtime_checkable

from django.conf import settings
from django.utils.formats import get_format, number_format
from django.utils.translation import get_supported_language_variant, gettext, ngettext

from judging.protocol.words import Sentence


@runtime_checkable
class Translatable(Protocol):
    """A Sentence, an InputError or a text of a report: English with placeholders, and the values to fill in.

    If it has an attribute `many` that is not empty, `text` is the singular and `many` the plural.
    """

    @property
    def text(self) -> str:
        """The English text."""

    @property
    def values(self) -> Mapping[str, Any]:
        """A dict from the name of each placeholder to its value."""


def translated(sentence: Translatable) -> str:
    """Return a sentence in the active language, with numbers in the format of that language."""
    many = getattr(sentence, "many", "")
    text = ngettext(sentence.text, many, sentence.values["number"]) if many else gettext(sentence.text)
    return text.format(**{name: _in_prose(value) for name, value in sentence.values.items()})


def decimal_mark() -> str:
    """Return the decimal mark of the active language: a point in English, and a comma in German."""
    return str(get_format("DECIMAL_SEPARATOR"))


def supported_language(tag: str) -> str:
    """Return the language for Plumbline's own texts, given a language tag such as `de-AT`.

    If Plumbline has no translation for the tag, return the default language.
    """
    try:
        return get_supported_language_variant(tag)
    except LookupError:
        return settings.LANGUAGE_CODE


def as_sentence(text: Sentence | str, values: dict[str, Any]) -> Sentence:
    """Return a Sentence with this text and these values.

    If `text` is already a Sentence, return it unchanged. If `values` is empty, treat braces in the text as
    ordinary characters.
    """
    if isinstance(text, Sentence):
        return text
    return Sentence(text if values else text.replace("{", "{{").replace("}", "}}"), values)


def _in_prose(value: object) -> str:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return number_format(value, force_grouping=True)
    return translated(value) if isinstance(value, Translatable) else str(value)

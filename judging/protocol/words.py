"""Sentences for people: marked for translation in the code, and translated when a page shows them."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self


def gettext_noop(text: str) -> str:
    """Return the text unchanged; `makemessages` finds it by the name of this function."""
    return text


def ngettext_noop(singular: str, plural: str) -> tuple[str, str]:
    """Return both texts unchanged; `makemessages` finds them by the name of this function."""
    return singular, plural


@dataclass(frozen=True)
class Sentence:
    """English text with placeholders such as `{topic}`, and the values of the placeholders.

    `str()` returns the sentence in English; `judging.core.words.translated` returns it in the language of a
    page. If `many` is set, `text` is the singular and `many` the plural, and the value named `number` decides
    which of them is used. Translation formats numbers, so pass ids as text.
    """

    text: str
    values: dict[str, Any] = field(default_factory=dict)
    many: str = ""

    def __str__(self) -> str:
        text = self.many if self.many and self.values["number"] != 1 else self.text
        return text.format(**self.values)


class WordedEnum(StrEnum):
    """Values that people read. A value with an underscore is declared with its words, for translation."""

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words or value.replace("_", " ")
        return member

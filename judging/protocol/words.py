"""Sentences for people: marked for translation where they are written, translated where they are shown."""

from dataclasses import dataclass, field
from typing import Any


def gettext_noop(text: str) -> str:
    """Return the text; the name marks it for `makemessages`."""
    return text


def ngettext_noop(one: str, many: str) -> tuple[str, str]:
    """Return both texts; the name marks them as singular and plural for `makemessages`."""
    return one, many


@dataclass(frozen=True)
class Sentence:
    """An English text with places such as `{topic}`, and the values that stand in them.

    `str()` gives the English sentence; pages show it in their language by `judging.core.words.translated`.
    With `many`, `text` is the singular, and the value `number` chooses between the two. A number is written
    as the language writes numbers; give an id as text.
    """

    text: str
    values: dict[str, Any] = field(default_factory=dict)
    many: str = ""

    def __str__(self) -> str:
        text = self.many if self.many and self.values["number"] != 1 else self.text
        return text.format(**self.values)

"""Sentences for people: marked where they are written, translated where they are shown."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext


@dataclass(frozen=True)
class Sentence:
    """An English text with places such as `{name}`, and what stands in them.

    `str()` gives it in the language that is active then. With `many`, `text` is the singular, and `number`,
    one of `values`, chooses. Numbers are written as the language writes them; an id goes in as text.
    """

    text: str
    values: dict[str, Any] = field(default_factory=dict)
    many: str = ""

    def __str__(self) -> str:
        number = self.values.get("number", 0)
        text = ngettext(self.text, self.many, number) if self.many else gettext(self.text)
        return text.format(**{name: _in_prose(value) for name, value in self.values.items()})


def _in_prose(value: object) -> str:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return number_format(value, force_grouping=True)
    return str(value)

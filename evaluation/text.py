"""English texts with placeholders and their values, so that a site can translate them."""

from collections.abc import Iterable
from typing import Any, Final


class Text:
    """English text with placeholders such as `{measure}`, and the values of the placeholders.

    `str()` returns the English text. If `many` is set, `text` is the singular and `many` the plural, and the
    value `number` decides which of them is used. A value can be another `Text`. To show a fixed number of
    decimals, pass the value as a string, such as "0.50".
    """

    many: str = ""

    def __init__(self, text: str, /, **values: Any) -> None:
        self.text: Final = text
        self.values: Final = values

    @classmethod
    def plural(cls, one: str, many: str, /, *, number: int, **values: Any) -> "Text":
        """Return a text that depends on a number."""
        text = cls(one, number=number, **values)
        text.many = many
        return text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return (self.text, self.many, self.values) == (other.text, other.many, other.values)

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        text = self.many if self.many and self.values["number"] != 1 else self.text
        return text.format(**self.values)


def joined(texts: Iterable[Text]) -> str:
    """Return sentences as one paragraph."""
    return " ".join(map(str, texts))

"""The number that a worker typed: its value, or the error message, and how Plumbline reads it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from judging.protocol.numerals import (
    AMBIGUOUS,
    UnreadError,
    has_fraction,
    two_readings,
    visible,
    written,
)
from judging.protocol.words import Sentence

_PLAIN_DIGITS: Final = re.compile(r"[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True)
class TypedNumber:
    """The text that a worker typed. If it is not valid, `fault` is the key of an error message.

    `mark` is the decimal mark in what the worker reads about the number. Each kind of number has its own
    error messages: `messages`, and `decimal_messages` for studies that do not allow fractions. If
    `shows_readings` is true, the message for a number with two readings shows how to write each of them.
    """

    text: str
    value: float | None
    fault: str | None
    with_fractions: bool = True
    mark: str = "."

    messages: ClassVar[Mapping[str, Sentence]]
    decimal_messages: ClassVar[Mapping[str, Sentence]]
    shows_readings: ClassVar[bool] = True

    @classmethod
    def read(
        cls, text: str, value_of: Callable[[str], float], *, with_fractions: bool = True, mark: str = "."
    ) -> Self:
        """Return the text with its value. `value_of` returns the value, or raises UnreadError."""
        try:
            value = value_of(text)
            if not with_fractions and has_fraction(text):
                raise UnreadError("fraction")
        except UnreadError as error:
            return cls(text, None, error.key, with_fractions, mark)
        return cls(text, value, None, with_fractions, mark)

    @property
    def message(self) -> Sentence | None:
        """Return the error message for the worker, or None if the number is valid."""
        if self.fault is None:
            return None
        messages = self.messages if self.with_fractions else self.decimal_messages
        if self.shows_readings and self.fault in AMBIGUOUS:
            return two_readings(self.text, self.mark) or messages[self.fault]
        return messages[self.fault]

    @property
    def echo(self) -> str:
        """Return how Plumbline reads the number, such as "= 0.5" for ½, or "" if the text shows it already.

        static/js/magnitude.js follows the same rules while the worker types.
        """
        if self.value is None or _PLAIN_DIGITS.fullmatch(visible(self.text)):
            return ""
        number = written(self.value, self.mark)
        return "" if number == visible(self.text) else f"= {number}"

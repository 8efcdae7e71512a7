"""Parse the number that a worker typed: any number in (0, +∞), in any common notation ([T15] 3.2)."""

import re
from dataclasses import dataclass
from typing import Final

from judging.limits import LONGEST_NUMBER
from judging.protocol.numerals import (
    AMBIGUOUS,
    UnreadError,
    exact_number,
    plain,
    two_readings,
    visible,
    written,
)
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

SMALLEST: Final = 1e-100
LARGEST: Final = 1e100
_PLAIN_DIGITS: Final = re.compile(r"[0-9]+(\.[0-9]+)?")
MESSAGES: Final = {
    "empty": Sentence(_("Please enter a number larger than zero, such as 12, 0.5, 1/3 or 2 1/2.")),
    "zero": Sentence(_("Zero is not allowed. Enter a very small number instead, such as 0.01 or 1/100.")),
    "negative": Sentence(
        _("Negative numbers are not allowed. Enter a number larger than zero, such as 12, 0.5 or 1/3.")
    ),
    **AMBIGUOUS,
    "long": Sentence(
        _(
            "Please use at most {longest} characters. You can write a very large number in a short form,"
            " such as 1e50."
        ),
        {"longest": LONGEST_NUMBER},
    ),
    "range": Sentence(_("This number is too large or too small. Enter a number between 1e-100 and 1e100.")),
    "text": Sentence(
        _("We cannot read this number. Write it as in these examples: 12, 0.5, 1/3, 2 1/2 or 1e3.")
    ),
}
DECIMAL_MESSAGES: Final = {
    **MESSAGES,
    "empty": Sentence(_("Please enter a number larger than zero, such as 12 or 0.5.")),
    "zero": Sentence(_("Zero is not allowed. Enter a very small number instead, such as 0.01.")),
    "negative": Sentence(
        _("Negative numbers are not allowed. Enter a number larger than zero, such as 12 or 0.5.")
    ),
    "text": Sentence(_("We cannot read this number. Write it as in these examples: 12 or 0.5.")),
    "fraction": Sentence(_("Please write decimals instead of fractions: for example, 0.5 instead of 1/2.")),
}
"""The error messages in studies that do not allow fractions."""


@dataclass(frozen=True)
class Magnitude:
    """The text that a worker typed. If it is not valid, `fault` is the key of an error message.

    `mark` is the decimal mark in what the worker reads about the number.
    """

    text: str
    value: float | None
    fault: str | None
    with_fractions: bool = True
    mark: str = "."

    @property
    def message(self) -> Sentence | None:
        """Return the error message for the worker, or None if the number is valid."""
        if self.fault is None:
            return None
        messages = MESSAGES if self.with_fractions else DECIMAL_MESSAGES
        readings = two_readings(self.text, self.mark) if self.fault in AMBIGUOUS else None
        return readings or messages[self.fault]

    @property
    def echo(self) -> str:
        """Return how Plumbline reads the number, such as "= 0.5" for ½, or "" if the text shows it already.

        static/js/magnitude.js follows the same rules while the worker types.
        """
        if self.value is None or _PLAIN_DIGITS.fullmatch(visible(self.text)):
            return ""
        number = written(self.value, self.mark)
        return "" if number == visible(self.text) else f"= {number}"


def parse(text: str, *, with_fractions: bool = True, mark: str = ".") -> Magnitude:
    """Parse `text` as a magnitude.

    Whole numbers, decimals with a point or a comma, and powers of ten are valid, in the digits of any script.
    Fractions and mixed numbers are valid only if `with_fractions` is set. Superscripts and other characters
    that only resemble digits are not valid, and invisible characters are ignored.

    A single comma before exactly three digits is ambiguous: it can be a decimal or a thousands separator. A
    point before exactly three digits is ambiguous only in a number without an exponent. Also, one to three
    digits must precede the point, and the first of them must not be 0. Unless the number has an exponent, the
    error message shows how to write each of its two possible values. Several commas are always ambiguous, and
    so are different marks together, and the Arabic thousands mark. The Arabic decimal mark is always clear.
    """
    fault: str | None = None
    value: float | None = None
    try:
        value = _read(text)
        if not with_fractions and "/" in plain(text):
            raise UnreadError("fraction")
    except UnreadError as error:
        value, fault = None, error.key
    return Magnitude(text, value, fault, with_fractions, mark)


def _read(text: str) -> float:
    if len(text) > LONGEST_NUMBER:
        raise UnreadError("long")
    typed = plain(text)
    if not typed:
        raise UnreadError("empty")
    negative = typed.startswith("-")
    exact = exact_number(typed.removeprefix("-" if negative else "+").strip())
    if exact == 0:
        raise UnreadError("zero")
    if negative:
        raise UnreadError("negative")
    try:
        value = float(exact)
    except OverflowError:
        raise UnreadError("range") from None
    if not SMALLEST <= value <= LARGEST:
        raise UnreadError("range")
    return value

"""Parse the number that a worker typed: any number in (0, +∞), in any common notation ([T15] 3.2)."""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from judging.limits import LONGEST_NUMBER
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

SMALLEST: Final = 1e-100
LARGEST: Final = 1e100
_MOST_EXPONENT_DIGITS: Final = 4

_DECIMAL = re.compile(r"(?P<digits>\d+[.,]?\d*|[.,]\d+)(?:[eE](?P<exponent>[+-]?\d+))?")
_FRACTION = re.compile(r"(?:(?P<whole>\d+) +)?(?P<top>\d+) ?/ ?(?P<bottom>\d+)")
_THOUSANDS_OR_DECIMAL = re.compile(r"\d*,\d{3}")
_THOUSANDS_OR_POINT = re.compile(r"(?!0)\d{1,3}\.\d{3}")
"""A point can separate thousands only after one to three digits that do not start with 0.

So 0.125 and 1234.567 are decimals.
"""

MESSAGES: Final = {
    "empty": Sentence(_("Please enter a number larger than zero, such as 12, 0.5, 1/3 or 2 1/2.")),
    "zero": Sentence(_("Zero is not allowed. Enter a very small number instead, such as 0.01 or 1/100.")),
    "negative": Sentence(
        _("Negative numbers are not allowed. Enter a number larger than zero, such as 12, 0.5 or 1/3.")
    ),
    "comma": Sentence(
        _("We cannot tell what the comma means. Write 1000 for one thousand, or 1.5 for one and a half.")
    ),
    "point": Sentence(
        _("We cannot tell what the point means. Write 1000 for one thousand, or 1.5 for one and a half.")
    ),
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
    """The text that a worker typed. If it is not valid, `fault` is the key of an error message."""

    text: str
    value: float | None
    fault: str | None
    with_fractions: bool = True

    @property
    def message(self) -> Sentence | None:
        """Return the error message for the worker, or None if the number is valid."""
        typed = self.text.strip()
        lone_mark = _THOUSANDS_OR_DECIMAL.fullmatch(typed) or _THOUSANDS_OR_POINT.fullmatch(typed)
        if self.fault in {"comma", "point"} and lone_mark:
            whole, digits = re.split("[.,]", typed)
            thousands = (whole + digits).lstrip("0")
            return Sentence(
                _("{typed} can be read in two ways. Write {thousands} or {decimal}."),
                {"typed": typed, "thousands": thousands, "decimal": _as_decimal(whole, digits)},
            )
        messages = MESSAGES if self.with_fractions else DECIMAL_MESSAGES
        return messages[self.fault] if self.fault else None


def parse(text: str, *, with_fractions: bool = True) -> Magnitude:
    """Parse `text` as a magnitude.

    Whole numbers, decimals with a point or a comma, and powers of ten are valid. Fractions and mixed numbers
    are valid only if `with_fractions` is set.

    A single comma before exactly three digits is ambiguous: it can be a decimal or a thousands separator. A
    point before exactly three digits is ambiguous only in a number without an exponent. Also, one to three
    digits must precede the point, and the first of them must not be 0. Unless the number has an exponent, the
    error message shows how to write each of its two possible values. Several commas are always ambiguous, and
    so is a comma together with a point.
    """
    fault: str | None = None
    value: float | None = None
    try:
        value = _read(text)
        if not with_fractions and "/" in _plain(text):
            raise _UnreadError("fraction")
    except _UnreadError as error:
        value, fault = None, error.key
    return Magnitude(text=text, value=value, fault=fault, with_fractions=with_fractions)


class _UnreadError(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _read(text: str) -> float:
    typed = _plain(text)
    if not typed:
        raise _UnreadError("empty")
    negative = typed.startswith("-")
    exact = _exact(typed.removeprefix("-" if negative else "+").strip())
    if exact == 0:
        raise _UnreadError("zero")
    if negative:
        raise _UnreadError("negative")
    try:
        value = float(exact)
    except OverflowError:
        raise _UnreadError("range") from None
    if not SMALLEST <= value <= LARGEST:
        raise _UnreadError("range")
    return value


def _exact(typed: str) -> Fraction:
    if fraction := _FRACTION.fullmatch(typed):
        if int(fraction["bottom"]) == 0:
            raise _UnreadError("text")
        return int(fraction["whole"] or 0) + Fraction(int(fraction["top"]), int(fraction["bottom"]))
    if typed.count(",") > 1 or ("," in typed and "." in typed):
        raise _UnreadError("comma" if re.fullmatch(r"[\d.,]+", typed) else "text")
    if _THOUSANDS_OR_POINT.fullmatch(typed):
        raise _UnreadError("point")
    decimal = _DECIMAL.fullmatch(typed)
    if decimal is None:
        raise _UnreadError("text")
    if _THOUSANDS_OR_DECIMAL.fullmatch(decimal["digits"]) and decimal["digits"].strip("0,"):
        raise _UnreadError("comma")
    exponent = decimal["exponent"] or "0"
    if len(exponent.lstrip("+-0")) > _MOST_EXPONENT_DIGITS:
        raise _UnreadError("range" if decimal["digits"].strip("0.,") else "zero")
    return Fraction(decimal["digits"].replace(",", ".").rstrip(".")) * Fraction(10) ** int(exponent)


def _as_decimal(whole: str, digits: str) -> str:
    """Return a decimal whose point nobody can read as a thousands separator.

    Examples: 1 for 1.000, and 1.2340 for 1.234.
    """
    decimal = f"{whole or 0}.{digits}".rstrip("0").removesuffix(".")
    return f"{decimal}0" if _THOUSANDS_OR_POINT.fullmatch(decimal) else decimal


def _plain(text: str) -> str:
    """Return the text with plain digits, spaces and minus signs: `2½` becomes `2 1/2`."""
    if len(text) > LONGEST_NUMBER:
        raise _UnreadError("long")
    plain = []
    for character in text:
        expanded = unicodedata.normalize("NFKC", character)
        if "\N{FRACTION SLASH}" in expanded and character != "\N{FRACTION SLASH}":
            plain.append(f" {expanded}")
        elif (digit := unicodedata.decimal(character, None)) is not None:
            plain.append(str(digit))
        else:
            plain.append(expanded)
    joined = "".join(plain).replace("\N{FRACTION SLASH}", "/").replace("\N{MINUS SIGN}", "-")
    return " ".join(joined.split())

"""Read numbers as people type them: digits of any script, and the decimal marks of any country."""

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction
from typing import Final

from judging.limits import LONGEST_NUMBER
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_MOST_EXPONENT_DIGITS: Final = 4
_DECIMAL_MARK: Final = "\N{ARABIC DECIMAL SEPARATOR}"
_THOUSANDS_MARK: Final = "\N{ARABIC THOUSANDS SEPARATOR}"
_INVISIBLE: Final = re.compile(
    r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
"""Characters without width or meaning in a number, such as soft hyphens, and marks of the text direction.

The characters that reverse digits on the screen, and the invisible operators of formulas, are not among them.
"""
_SAME: Final = {
    **dict.fromkeys("⁄∕／", "/"),
    **dict.fromkeys("‐‑‒–−﹣－", "-"),
    **dict.fromkeys("＋﹢", "+"),
    **dict.fromkeys("．﹒", "."),
    **dict.fromkeys("，﹐،", ","),
    **dict.fromkeys("ｅＥE", "e"),
    **dict.fromkeys("\t\n\v\f\r\u2028\u2029", " "),
}
"""Other forms of the characters in a number. Superscripts, for example, are not: 10² is not 102."""
_ONE_CHARACTER_FRACTION: Final = re.compile("[0-9]+⁄[0-9]*")

_MARKED: Final = re.compile(rf"[0-9.,{_DECIMAL_MARK}{_THOUSANDS_MARK}]+(?:e[+-]?[0-9]+)?")
_DECIMAL: Final = re.compile(
    rf"(?P<digits>[0-9]+[.,{_DECIMAL_MARK}]?[0-9]*|[.,{_DECIMAL_MARK}][0-9]+)(?:e(?P<exponent>[+-]?[0-9]+))?"
)
_FRACTION: Final = re.compile(r"(?:(?P<whole>[0-9]+) )?(?P<top>[0-9]+) ?/ ?(?P<bottom>[0-9]+)")
_THOUSANDS_OR_COMMA: Final = re.compile(rf"([0-9]*)[,{_THOUSANDS_MARK}]([0-9]{{3}})")
_THOUSANDS_OR_POINT: Final = re.compile(r"((?!0)[0-9]{1,3})\.([0-9]{3})")
"""A point can separate thousands only after one to three digits that do not start with 0.

So 0.125 and 1234.567 are decimals.
"""
AMBIGUOUS: Final = {
    "comma": Sentence(
        _("We cannot tell what the comma means. Write 1000 for one thousand, or 1.5 for one and a half.")
    ),
    "point": Sentence(
        _("We cannot tell what the point means. Write 1000 for one thousand, or 1.5 for one and a half.")
    ),
    "space": Sentence(
        _("We cannot tell what the space means. Write 1000 for one thousand, or 1.5 for one and a half.")
    ),
}
"""The error messages for numbers that can be read in two ways."""


class UnreadError(Exception):
    """A text is not a number. `key` says why: "text", "zero", "range", or a key of `AMBIGUOUS`."""

    def __init__(self, key: str) -> None:
        self.key = key


def visible(text: str) -> str:
    """Return the text without invisible characters and without spaces around it."""
    return _INVISIBLE.sub("", text).strip()


def plain(text: str) -> str:
    """Return the text with the digits 0 to 9 and plain signs and spaces: `2½` becomes `2 1/2`.

    Characters that are not part of a number stay as they are. So do the Arabic marks.
    """
    return re.sub(" +", " ", "".join(map(_plain_character, _INVISIBLE.sub("", text)))).strip(" ")


def _plain_character(character: str) -> str:
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if unicodedata.category(character) == "Zs":
        return " "
    expanded = unicodedata.normalize("NFKC", character)
    if _ONE_CHARACTER_FRACTION.fullmatch(expanded):
        return f" {expanded.replace('⁄', '/')} "
    return _SAME.get(character, character)


def signed_number(text: str) -> Fraction:
    """Return the value of a typed text, which can have a sign.

    Raise UnreadError if the text is not one clear number. Then the key can also be "long" or "empty".
    """
    if len(text) > LONGEST_NUMBER:
        raise UnreadError("long")
    typed = plain(text)
    if not typed:
        raise UnreadError("empty")
    negative = typed.startswith("-")
    exact = exact_number(typed.removeprefix("-" if negative else "+").strip())
    return -exact if negative else exact


def has_fraction(text: str) -> bool:
    """Return whether a typed number is written as a fraction, such as 1/2 or ½."""
    return "/" in plain(text)


def exact_number(typed: str) -> Fraction:
    """Return the value of a plain text without a sign. Raise UnreadError if it is not one clear number."""
    if fraction := _FRACTION.fullmatch(typed):
        return _fraction(fraction)
    check_marks(typed)
    decimal = _DECIMAL.fullmatch(typed)
    if decimal is None:
        raise UnreadError("text")
    digits, exponent = _with_point(decimal["digits"]), decimal["exponent"] or "0"
    if len(exponent.lstrip("+-0")) > _MOST_EXPONENT_DIGITS:
        raise UnreadError("range" if digits.strip("0.") else "zero")
    return Fraction(digits.rstrip(".")) * Fraction(10) ** int(exponent)


def _fraction(match: re.Match[str]) -> Fraction:
    if int(match["bottom"]) == 0:
        raise UnreadError("text")
    if match["whole"] and re.fullmatch("0[0-9]{2}", match["top"]):
        raise UnreadError("space")  # 1 000/5 can be 1000/5.
    return int(match["whole"] or 0) + Fraction(int(match["top"]), int(match["bottom"]))


def check_marks(typed: str) -> None:
    """Raise UnreadError if a mark in the plain text `typed` can separate thousands or decimals."""
    if not _MARKED.fullmatch(typed):
        return
    digits, marks = typed.partition("e")[0], set(typed) - set("0123456789e+-")
    if typed.count(",") > 1 or len(marks) > 1 or _THOUSANDS_MARK in marks:
        raise UnreadError("comma")
    if _THOUSANDS_OR_POINT.fullmatch(typed):
        raise UnreadError("point")
    if _THOUSANDS_OR_COMMA.fullmatch(digits) and digits.strip("0,"):
        raise UnreadError("comma")


def two_readings(text: str, mark: str) -> Sentence | None:
    """Return how to write both values of a text such as `1,000`, or None if other texts are ambiguous.

    `mark` is the decimal mark of the reader's language.
    """
    typed = plain(text)
    match = _THOUSANDS_OR_COMMA.fullmatch(typed) or _THOUSANDS_OR_POINT.fullmatch(typed)
    if match is None or not "".join(match.groups()).strip("0"):
        return None
    whole, digits = match.groups()
    return Sentence(
        _("{typed} can be read in two ways. Write {thousands} or {decimal}."),
        {
            "typed": visible(text),
            "thousands": (whole + digits).lstrip("0"),
            "decimal": clear_decimal(f"{whole or 0}.{digits}".rstrip("0").removesuffix("."), mark),
        },
    )


def clear_decimal(decimal: str, mark: str = ".") -> str:
    """Return a decimal with the mark `mark`, such that nobody can read the mark as a thousands separator.

    Examples: 1 for 1, and 1.2340 for 1.234.
    """
    typed = decimal.replace(".", mark)
    try:
        check_marks(typed)
    except UnreadError:
        return f"{typed}0"
    return typed


def with_point(text: str) -> str:
    """Return a typed whole or decimal number with the digits 0 to 9 and a point. Return other text unchanged.

    Raise UnreadError if a mark in the number can separate thousands or decimals.
    """
    typed = plain(text)
    sign = "-" if typed.startswith("-") else ""
    number = typed.removeprefix(sign or "+")
    check_marks(number)
    if not _DECIMAL.fullmatch(number):
        return text
    pointed = _with_point(number).removesuffix(".")
    return f"{sign}0{pointed}" if pointed.startswith(".") else f"{sign}{pointed}"


def _with_point(digits: str) -> str:
    return digits.replace(",", ".").replace(_DECIMAL_MARK, ".")


def written(value: float, mark: str = ".") -> str:
    """Return a number for people: all digits if there are at most 15, otherwise the first six.

    static/js/magnitude.js writes numbers in the same way.
    """
    shortest = Decimal(repr(value)).normalize()
    if len(shortest.as_tuple().digits) > 15:
        shortest = Decimal(f"{value:.5e}").normalize()
    is_common = Decimal("1e-6") <= shortest < Decimal("1e21")
    return f"{shortest:f}".replace(".", mark) if is_common else f"{shortest:e}".replace(".", mark)

"""Parse the number that a worker typed: any number in (0, +∞), in any common notation ([T15] 3.2)."""

from typing import Final

from judging.limits import LONGEST_NUMBER
from judging.protocol.numerals import AMBIGUOUS, UnreadError, signed_number
from judging.protocol.typed_number import TypedNumber
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

SMALLEST: Final = 1e-100
LARGEST: Final = 1e100
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


class Magnitude(TypedNumber):
    """The magnitude that a worker typed."""

    messages = MESSAGES
    decimal_messages = DECIMAL_MESSAGES


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
    return Magnitude.read(text, _read, with_fractions=with_fractions, mark=mark)


def _read(text: str) -> float:
    exact = signed_number(text)
    if exact == 0:
        raise UnreadError("zero")
    if exact < 0:
        raise UnreadError("negative")
    try:
        value = float(exact)
    except OverflowError:
        raise UnreadError("range") from None
    if not SMALLEST <= value <= LARGEST:
        raise UnreadError("range")
    return value

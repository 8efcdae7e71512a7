"""Parse the number from 0 to 100 that a worker typed or chose with the slider."""

from typing import Final

from judging.limits import LONGEST_NUMBER
from judging.protocol.magnitude import SMALLEST as SMALLEST_ABOVE_0
from judging.protocol.numerals import UnreadError, plain, signed_number
from judging.protocol.typed_number import TypedNumber
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

SMALLEST: Final = 0.0
LARGEST: Final = 100.0
_MESSAGES: Final = {
    "empty": Sentence(_("Please enter a number from 0 to 100, such as 40 or 62.5.")),
    "below": Sentence(_("This number is below 0. Enter a number from 0 to 100.")),
    "above": Sentence(_("This number is above 100. Enter a number from 0 to 100.")),
    "small": Sentence(_("This number is too close to 0. Enter 0 or a larger number.")),
    "comma": Sentence(_("We cannot tell what the comma means. Write a number such as 62.5.")),
    "point": Sentence(_("We cannot tell what the point means. Write a number such as 62.5.")),
    "space": Sentence(_("We cannot tell what the space means. Write a number such as 62.5.")),
    "long": Sentence(
        _("Please use at most {longest} characters for the number."), {"longest": LONGEST_NUMBER}
    ),
    "text": Sentence(_("We cannot read this number. Write it as in these examples: 40, 62.5 or 62 1/2.")),
}
_DECIMAL_MESSAGES: Final = {
    **_MESSAGES,
    "text": Sentence(_("We cannot read this number. Write it as in these examples: 40 or 62.5.")),
    "fraction": Sentence(_("Please write decimals instead of fractions: for example, 62.5, not 62 1/2.")),
}


class Hundred(TypedNumber):
    """A number from 0 to 100 that a worker typed.

    If a mark has two meanings, the message does not show both readings, because at most one of them is on
    the scale.
    """

    messages = _MESSAGES
    decimal_messages = _DECIMAL_MESSAGES
    shows_readings = False


def parse(text: str, *, with_fractions: bool = True, mark: str = ".") -> Hundred:
    """Parse `text` as a number from 0 to 100. The notations are those of `magnitude.parse`."""
    return Hundred.read(text, _read, with_fractions=with_fractions, mark=mark)


def _read(text: str) -> float:
    try:
        exact = signed_number(text)
    except UnreadError as error:
        raise UnreadError(_key(error.key, plain(text))) from None
    if exact < SMALLEST:
        raise UnreadError("below")
    if exact > LARGEST:
        raise UnreadError("above")
    if 0 < exact < SMALLEST_ABOVE_0:  # the database has no such numbers
        raise UnreadError("small")
    return float(exact)


def _key(key: str, typed: str) -> str:
    """Return the key of the error message for a number whose exponent is too far from 0 to compute it."""
    if key == "zero" or (key == "range" and "e-" in typed):
        return "small"
    if key == "range":
        return "below" if typed.startswith("-") else "above"
    return key

"""Read numbers exactly, and check whether the database can store a text."""

import re
from decimal import Decimal, InvalidOperation
from typing import Final

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parse_decimal(digits: str) -> Decimal:
    """Return the exact number, or NaN if the text is not a number that a Decimal can hold."""
    try:
        return Decimal(digits.strip())
    except InvalidOperation:
        return Decimal("NaN")


def unstorable(text: str) -> Sentence | None:
    """Return why a database cannot store a string, or None.

    Strings from JSON can contain NUL characters and lone surrogates.
    """
    if "\0" in text:
        return Sentence(_("The text contains a NUL character. Remove it."))
    if _SURROGATE.search(text):
        return Sentence(_("The text contains an incomplete character (a lone surrogate). Remove it."))
    return None

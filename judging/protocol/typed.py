"""Typed user names and e-mail addresses, and one key for all spellings of the same name."""

import unicodedata
from typing import Final

_LONGEST: Final = 512
"""The number of characters that are compared. Names and addresses of accounts are shorter."""


def tidy(text: str) -> str:
    """Return a typed name or address as accounts store it: NFKC, without surrounding spaces."""
    # Strip first, as Django's forms do: otherwise many leading spaces would push the name past the limit.
    return unicodedata.normalize("NFKC", text.strip()[:_LONGEST]).strip()


def typed_key(text: str) -> str:
    """Return a key that is the same for all spellings of a name or address, in upper or lower case."""
    return tidy(tidy(text).casefold())

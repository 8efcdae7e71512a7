"""Tidy typed user names and e-mail addresses, and give all spellings of a name the same key."""

import unicodedata
from typing import Final

_LONGEST: Final = 512
"""Only this many characters are compared. The names and addresses of accounts are shorter."""


def tidy(text: str) -> str:
    """Return a typed name or address as accounts store it: NFKC, without surrounding spaces."""
    # Strip first, as Django's forms do: otherwise many leading spaces would push the name past the limit.
    return unicodedata.normalize("NFKC", text.strip()[:_LONGEST]).strip()


def typed_key(text: str) -> str:
    """Return a key that is the same for all spellings of a name or address. Case does not matter."""
    return tidy(tidy(text).casefold())

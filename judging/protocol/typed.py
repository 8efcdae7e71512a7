"""What people type for a name or an e-mail address: one key for all spellings of the same."""

import unicodedata
from typing import Final

_LONGEST: Final = 512
"""Characters that are compared: no name and no address of an account is as long."""


def tidy(text: str) -> str:
    """Return a typed name or address as accounts store it: NFKC, without space around it."""
    # The space goes first, as in Django's forms: much of it must not hide the name behind the cut.
    return unicodedata.normalize("NFKC", text.strip()[:_LONGEST]).strip()


def typed_key(text: str) -> str:
    """Return what all spellings of a name or address have in common, in whatever case."""
    return tidy(tidy(text).casefold())

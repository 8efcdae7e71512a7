"""The languages that exist."""

from functools import cache

from babel import Locale
from babel.core import get_global


def is_known_language(tag: str) -> bool:
    """Return whether the first part of a language tag such as pt-BR is the code of a language."""
    return tag.partition("-")[0].lower() in _codes()


@cache
def _codes() -> frozenset[str]:
    """Return the ISO 639 codes of the languages in the Unicode Common Locale Data Repository."""
    tags = (*get_global("likely_subtags"), *get_global("language_aliases"), *Locale("en").languages)
    return frozenset(tag.partition("_")[0] for tag in tags)

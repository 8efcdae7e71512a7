"""Fences around texts that a model must judge and never obey."""

import re
from typing import Final

NONCE: Final = "\0"
"""Stands for the random part of a fence's marks until the whole question is known. No text contains it."""
_INVISIBLE: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
_MARKS: Final = re.compile(
    rf"(?:[<＜﹤‹〈⟨《«][{_INVISIBLE}]*){{3,}}|(?:[>＞﹥›〉⟩》»][{_INVISIBLE}]*){{3,}}"
)
"""Three angle brackets in a row, or signs that look like them, also with invisible signs between them."""


def fence(text: str) -> str:
    """Return a text between two marks. Signs of which marks are made are removed from the text."""
    return f"<<<TEXT {NONCE}>>>\n{without_marks(text)}\n<<<END {NONCE}>>>"


def without_marks(text: str) -> str:
    """Return a text without three angle brackets in a row, even if others were removed between them.

    The same holds for signs that look like angle brackets.
    """
    text = text.replace(NONCE, "")
    while (shorter := _MARKS.sub("", text)) != text:
        text = shorter
    return text


def with_nonce(text: str, key: str) -> str:
    """Return a text whose marks contain a part of `key`, the hash of the whole question.

    Nobody who writes a document can know this part, because the document itself is hashed, too.
    """
    return text.replace(NONCE, key[:16])

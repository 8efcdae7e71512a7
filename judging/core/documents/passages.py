"""Find the passage that a worker marked in the text that the page showed."""

import re
from typing import NamedTuple


class Passage(NamedTuple):
    """Where a passage is in a text: its first character, counted from 0, and the one after its last."""

    start: int
    end: int


def find_passage(text: str, passage: str) -> Passage | None:
    """Return where a passage first occurs in a text, or None.

    White space does not matter, because browsers copy line breaks and cells of tables in their own ways.
    """
    words = passage.split()
    if not words:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return Passage(*found.span()) if found else None

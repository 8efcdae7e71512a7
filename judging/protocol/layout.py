"""How to show line breaks in documents, and how to recognise documents that need their line breaks."""

import re
from enum import StrEnum
from typing import Final

_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")
_ITEM: Final = re.compile(r"\s|[-*•|]\s|\w{1,3}[.)]\s|[^\t]*\t")
_FEWEST_LINES: Final = 3
_SHORT_LINE: Final = 45
"""Line breaks are deliberate if all lines are shorter than this, because wrapped prose has longer lines."""


class Layout(StrEnum):
    PARAGRAPHS = "paragraphs"
    """Blank lines separate paragraphs; lines within a paragraph are joined."""
    LINES = "lines"
    """Every line break is shown, as in poems, lists and letters."""
    PREFORMATTED = "preformatted"
    """Every character is shown in a fixed-width font, as in code and tables."""


def paragraphs_of(text: str, layout: Layout = Layout.PARAGRAPHS) -> list[str]:
    """Return the paragraphs of the text. Lines are joined unless the layout keeps them apart."""
    blocks = [block for block in _BLANK_LINE.split(text.replace("\r\n", "\n")) if block.strip()]
    if layout == Layout.PARAGRAPHS:
        return [" ".join(block.split()) for block in blocks]
    return [block.strip("\n") for block in blocks]


def loses_structure(text: str) -> bool:
    """Return whether joining the lines would probably spoil a list, a table, a poem or code."""
    return any(_is_structured(block.split("\n")) for block in _BLANK_LINE.split(text.replace("\r\n", "\n")))


def _is_structured(lines: list[str]) -> bool:
    if len(lines) < _FEWEST_LINES:
        return False
    items = sum(1 for line in lines if _ITEM.match(line))
    return 2 * items > len(lines) or max(map(len, lines)) < _SHORT_LINE

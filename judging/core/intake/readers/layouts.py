"""What the formats of documents share about line breaks."""

import re
from typing import Final

from judging.core.intake.faults import shown
from judging.protocol.layout import Layout

_BLANK_START: Final = re.compile(r"\A(?:[^\S\n]*\n)+")


def layout_fault(text: str) -> str | None:
    """Return what is wrong with the layout of a document, or None."""
    if not text or text in list(Layout):
        return None
    return f"{shown(text)} is not known; write {', '.join(Layout)}, or leave it empty"


def without_blank_ends(text: str) -> str:
    """Return a text without blank lines at its ends; its first line keeps its indentation."""
    text = text.replace("\r\n", "\n").rstrip()
    return _BLANK_START.sub("", text)

"""Check layouts and markup, and remove blank lines, for the readers of all formats."""

import re
from typing import Final

from judging.core.faults import shown
from judging.protocol.layout import Layout
from judging.protocol.markup import Markup
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_BLANK_START: Final = re.compile(r"\A(?:[^\S\n]*\n)+")


def layout_fault(text: str) -> Sentence | None:
    """Return why a string is not a valid layout, or None."""
    if not text or text in list(Layout):
        return None
    return Sentence(
        _("The layout {value} is unknown. Leave it empty, or use one of these: {layouts}."),
        {"value": shown(text), "layouts": ", ".join(Layout)},
    )


def markup_fault(text: str) -> Sentence | None:
    """Return why a string is not a valid markup, or None."""
    if not text or text in list(Markup):
        return None
    return Sentence(
        _("The markup {value} is unknown. Leave it empty, or use one of these: {markups}."),
        {"value": shown(text), "markups": ", ".join(Markup)},
    )


def clean_text(text: str, markup: str) -> str:
    """Return the text of a document to store. A source in HTML or Markdown is stored exactly as it is."""
    return without_blank_ends(text) if markup == Markup.TEXT else text


def without_blank_ends(text: str) -> str:
    """Return the text without blank lines at its beginning and end.

    The first line keeps its indentation. Windows line endings become Unix line endings.
    """
    text = text.replace("\r\n", "\n").rstrip()
    return _BLANK_START.sub("", text)

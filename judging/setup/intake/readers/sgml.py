"""Remove tags, replace entities, join wrapped lines, and check ids, mainly for TREC and Cranfield formats."""

import html
import re
from html.entities import html5
from typing import Final

from evaluation.errors import shown
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

LONGEST_ID: Final = 200
LONGEST_NUMBER: Final = 100
"""The maximum number of characters in the number of a topic."""
_TITLE_WORDS: Final = 8
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--(?:(?!-->|<!--).)*-->", re.DOTALL)
"""Matches a tag or a comment.

A match never contains the start of another comment, so that unclosed comments take only linear time.
"""
_P: Final = re.compile(r"</?P>", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_OF_SGML: Final = {"hyph": "-", "blank": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "nbsp": " "}
"""Entities of the Federal Register that HTML does not define, or defines differently."""
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=[ \t]{2,}\S)")


def without_tags(text: str) -> str:
    """Return the text without markup.

    `<P>` becomes an empty line, other tags become spaces, and entities become characters.
    """
    return _ENTITY.sub(_character, _TAG.sub(" ", _P.sub("\n\n", text)))


def _character(entity: re.Match[str]) -> str:
    """Return the character for an entity. Return an unknown entity unchanged."""
    name = entity[0][1:-1]
    if name.startswith("#"):
        return html.unescape(entity[0])
    return _OF_SGML.get(name) or html5.get(f"{name};") or html5.get(f"{name.lower()};") or entity[0]


def unwrapped(text: str) -> str:
    """Return the text with the lines of each paragraph joined.

    A paragraph ends at an empty line, or before an indented line.
    """
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH.split(text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def first_words(text: str) -> str:
    """Return the first words of a text as a title."""
    words = text.removesuffix(".").split()
    return " ".join(words[:_TITLE_WORDS]) + (" …" if len(words) > _TITLE_WORDS else "")


def id_fault(text: str, longest: int = LONGEST_ID) -> Sentence | None:
    """Return why a string cannot be an id, or None.

    An id must not contain white space, which separates columns in TREC's formats.
    """
    if not text:
        return Sentence(_("The id is empty. Add an id."))
    if len(text) > longest:
        too_long = _("The id has {number} characters; the limit is {limit}. Shorten it.")
        return Sentence(too_long, {"number": len(text), "limit": longest})
    if "\0" in text or text.split() != [text]:
        return Sentence(_("The id {id} contains white space. Remove the white space."), {"id": shown(text)})
    return None

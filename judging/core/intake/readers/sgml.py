"""What the readers of TREC's and Cranfield's texts share: tags, entities, unwrapped lines, and sound ids."""

import html
import re
from html.entities import html5
from typing import Final

LONGEST_ID: Final = 200
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--(?:(?!-->|<!--).)*-->", re.DOTALL)
"""A comment ends before the next one begins: so many that are not closed take no longer than their length."""
_P: Final = re.compile(r"</?P>", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_OF_SGML: Final = {"hyph": "-", "blank": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "nbsp": " "}
"""Entities that HTML does not know, or shows otherwise: the Federal Register's hyphens and blanks."""
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=[ \t]{2,}\S)")


def without_tags(text: str) -> str:
    """The text between the tags, with entities resolved; a tag parts words, `<P>` paragraphs."""
    return _ENTITY.sub(_character, _TAG.sub(" ", _P.sub("\n\n", text)))


def _character(entity: re.Match[str]) -> str:
    """What an entity stands for. Unknown ones stay, and so does what lacks the semicolon, as in `R&D`."""
    name = entity[0][1:-1]
    if name.startswith("#"):
        return html.unescape(entity[0])
    return _OF_SGML.get(name) or html5.get(f"{name};") or html5.get(f"{name.lower()};") or entity[0]


def unwrapped(text: str) -> str:
    """Hard-wrapped lines joined to paragraphs, which end at an empty line or before an indented one."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH.split(text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def id_fault(text: str, longest: int = LONGEST_ID) -> str | None:
    """What is wrong with an id, or None. Files in TREC's layouts part their columns by blanks."""
    if not text:
        return "is empty; give an id"
    if len(text) > longest:
        return f"has {len(text)} characters; at most {longest} can be stored"
    if "\0" in text or text.split() != [text]:
        return "contains white space; remove it"
    return None

"""The pictures of a document: where their addresses lead, and what pages cannot show."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from judging.core.documents.allowed import LEFT_OUT, PICTURE
from judging.core.documents.sanitising import read_document
from judging.core.documents.tree import Element
from judging.protocol.markup import LONGEST_PICTURE_NAME, Markup

_LABELS: Final = {PICTURE: "alt", "svg": "aria-label", "math": "alttext"}
"""The attribute that describes an element in words."""


class Lost(NamedTuple):
    """Something that a page cannot show: what it is, its description, and its address if it has one.

    `kind` is a kind of `allowed.LEFT_OUT`, or "picture".
    """

    kind: str
    label: str
    address: str = ""


def label_of(element: Element) -> str:
    """Return the words that describe an element, or ""."""
    return " ".join(element.attributes.get(_LABELS.get(element.tag, ""), "").split())


def picture_name(element: Element) -> str:
    """Return the name of a picture's file below the folder of its document, or "" if it is elsewhere."""
    address = element.attributes.get("src", "").strip()
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    name = unquote(parts.path)
    path = PurePosixPath(name)
    is_inside = not parts.scheme and not parts.netloc and not path.is_absolute() and ".." not in path.parts
    is_plain = (
        is_inside and "\\" not in name and name.isprintable() and 0 < len(str(path)) <= LONGEST_PICTURE_NAME
    )
    return str(path) if is_plain and path.name else ""


def picture_names(text: str, markup: Markup) -> set[str]:
    """Return the names of all pictures that a text shows."""
    if markup == Markup.TEXT:
        return set()
    elements = read_document(text, markup).elements()
    return {name for element in elements if element.tag == PICTURE and (name := picture_name(element))}


def lost_parts(text: str, markup: Markup, stored: set[str]) -> Iterator[Lost]:
    """Yield what pages cannot show of a text. `stored` holds the names of the pictures of the study."""
    if markup == Markup.TEXT:
        return
    for element in read_document(text, markup).elements():
        if element.tag in LEFT_OUT:
            yield Lost(LEFT_OUT[element.tag], label_of(element))
        elif element.tag == PICTURE and picture_name(element) not in stored:
            yield Lost("picture", label_of(element), element.attributes.get("src", ""))

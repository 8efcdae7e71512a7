"""The pictures of a document: where their addresses lead, and what pages cannot show."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from judging.core.documents.allowed import LEFT_OUT, PICTURE
from judging.core.documents.plain import Source, texts_of
from judging.core.documents.sanitising import read_document
from judging.core.documents.tree import Element
from judging.protocol.markup import LONGEST_PICTURE_NAME, Markup
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_LABELS: Final = {PICTURE: "alt", "svg": "aria-label", "math": "alttext"}
"""The attribute that describes an element in words."""
_SHOWN: Final = 80
_REPLACED: Final = _(
    "Workers see a placeholder instead of an element {tag} of document {document}. Describe it in words, or"
    " use a picture."
)
_ELSEWHERE: Final = _(
    "Workers see a placeholder instead of the picture {address} of document {document}, because pages load"
    " nothing from other sites. Save the picture beside the documents, and write its name there."
)
_INSIDE: Final = _(
    "Workers see a placeholder instead of a picture that document {document} has in its own text. Save the"
    " picture as a file beside the documents, and write its name there."
)
_MISSING: Final = _(
    "Workers see a placeholder instead of the picture {address} of document {document}, because there is no"
    " such file beside the documents. Add the file."
)


class Lost(NamedTuple):
    """Something that a page cannot show: its tag and, if it is a picture, its address."""

    tag: str
    address: str = ""

    def sentence(self, document: str) -> Sentence:
        """Return what workers see instead, and how to mend it."""
        address = "".join(filter(str.isprintable, self.address)).strip()
        values = {"document": document, "address": address[:_SHOWN], "tag": self.tag}
        if self.tag != PICTURE:
            return Sentence(_REPLACED, values)
        if address.lower().startswith("data:"):
            return Sentence(_INSIDE, values)
        return Sentence(_ELSEWHERE if is_elsewhere(address) else _MISSING, values)


def is_elsewhere(address: str) -> bool:
    """Return whether the address of a picture leads to another site."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return bool(parts.scheme or parts.netloc)


def label_of(element: Element) -> str:
    """Return the words that describe an element or, without a description, the words in it."""
    return " ".join(element.attributes.get(_LABELS.get(element.tag, ""), "").split()) or element.words


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


def names_of_pictures(document: Source, sources: Iterable[Source], default: str) -> set[str]:
    """Return the names of all pictures of a document and its sources. `default` is the study's markup."""
    texts = texts_of(document, sources, default)
    return {name for text, markup in texts for name in picture_names(text, markup)}


def lost_parts(text: str, markup: Markup, stored: set[str]) -> Iterator[Lost]:
    """Yield what pages cannot show of a text. `stored` holds the names of the pictures of the study."""
    if markup == Markup.TEXT:
        return
    for element in read_document(text, markup).elements():
        if element.tag in LEFT_OUT:
            yield Lost(element.tag)
        elif element.tag == PICTURE and picture_name(element) not in stored:
            yield Lost(PICTURE, element.attributes.get("src", ""))

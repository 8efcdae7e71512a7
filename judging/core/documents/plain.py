"""The plain text of a document: the words that a page shows, without markup."""

import re
from collections.abc import Iterator
from typing import Final, Protocol

from judging.core.documents.allowed import BLOCK_LIKE, LEFT_OUT
from judging.core.documents.sanitising import read_document
from judging.core.documents.tree import Element, Node
from judging.protocol.markup import Markup

_SPACES: Final = re.compile(r"[ \t\n\r\f]+")
_BREAKS: Final = re.compile(r" *\n *")
_KEPT_SPACE: Final = "\0"
"""Stands for a space of preformatted text until the other spaces are joined. No stored text contains it."""


class Source(Protocol):
    """What a text is read from: a stored document, one in a file, or a source of an answer."""

    @property
    def text(self) -> str: ...

    @property
    def markup(self) -> str: ...


def shown_text(source: Source, default: str) -> str:
    """Return the words of a document as pages show them. `default` is the markup of its study.

    Counts of words, quotes and passages use this text. The text of a document in plain text is its source.
    Names of pictures and placeholders are not part of it.
    """
    return plain_text(source.text, Markup(source.markup or default))


def plain_text(text: str, markup: Markup) -> str:
    """Return the words of a text in any markup, with a line for each block, and a tab between cells."""
    if markup == Markup.TEXT:
        return text
    lines = _BREAKS.sub("\n", "".join(_pieces(read_document(text, markup))))
    return re.sub(r"\n{2,}", "\n", lines).strip("\n ").replace(_KEPT_SPACE, " ")


def count_words(source: Source, default: str) -> int:
    """Return the number of words that a page shows of a document."""
    return len(shown_text(source, default).split())


def _pieces(node: Node, *, is_pre: bool = False) -> Iterator[str]:
    if isinstance(node, str):
        yield node.replace(" ", _KEPT_SPACE) if is_pre else _SPACES.sub(" ", node)
    elif node.tag == "br":
        yield "\n"
    elif node.tag == "tr":
        cells = [child for child in node.children if isinstance(child, Element)]
        yield "\n" + "\t".join("".join(_pieces(cell)).strip() for cell in cells) + "\n"
    elif node.tag not in LEFT_OUT:
        edge = "\n" if node.tag in BLOCK_LIKE else ""
        yield edge
        for child in node.children:
            yield from _pieces(child, is_pre=is_pre or node.tag == "pre")
        yield edge

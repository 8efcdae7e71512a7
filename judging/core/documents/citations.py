"""Answers with citations: markers such as `[1]` or `[2, 3]` that refer to the sources of an answer."""

import re
from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from django.utils.safestring import SafeString, mark_safe

from judging.core.documents.allowed import tags
from judging.core.documents.sanitising import read_document
from judging.core.documents.tree import Node
from judging.protocol.markup import Markup

MARKER: Final = re.compile(r"\[\d{1,9}(?:[ \u00a0]?[,;][ \u00a0]?\d{1,9})*\]")
"""A marker in the text of an answer. The number 1 stands for the first source."""
NUMBER: Final = re.compile(r"\d+")
LITERAL: Final = tags("pre code kbd samp")
"""Tags in which brackets are code and not markers."""


class SourceText(NamedTuple):
    """A source of an answer. Only its title and its text are always there."""

    id: str
    title: str
    text: str
    url: str = ""
    markup: str = ""


SOURCE_FIELDS: Final = SourceText._fields
"""The fields of a source, in files and in the database."""


def cited_numbers(text: str, markup: Markup) -> Iterator[int]:
    """Yield the numbers in the markers of an answer, in the order of the text."""
    pieces = [text] if markup == Markup.TEXT else _texts(read_document(text, markup))
    for piece in pieces:
        for marker in MARKER.findall(piece):
            yield from map(int, NUMBER.findall(marker))


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif node.tag not in LITERAL:
        for child in node.children:
            yield from _texts(child)


class Citations:
    """Turns the markers of an answer into links to its sources.

    `prefix` begins the ids of the document, so that two documents on a page do not collide. `cited` collects
    the numbers of the sources that have a marker.
    """

    def __init__(self, prefix: str, sources: int) -> None:
        self._prefix = prefix
        self._sources = sources
        self.cited: set[int] = set()

    def linked(self, text: str) -> SafeString:
        """Return the text as HTML, with a link for each number in a marker. No character is added."""
        pieces, end = [], 0
        for marker in MARKER.finditer(text):
            pieces += [escape(text[end : marker.start()]), self._marker(marker.group())]
            end = marker.end()
        return mark_safe("".join([*pieces, escape(text[end:])]))  # noqa: S308 - escaped piece by piece

    def _marker(self, marker: str) -> str:
        if marker[1:-1].isdigit():
            return self._link(int(marker[1:-1]), marker)
        return NUMBER.sub(lambda number: self._link(int(number.group()), number.group()), marker)

    def _link(self, number: int, words: str) -> str:
        if not 1 <= number <= self._sources:
            return words
        own_id = "" if number in self.cited else f' id="{self._prefix}cite-{number}"'
        self.cited.add(number)
        return f'<a class="citation" href="#{self._prefix}source-{number}"{own_id}>{words}</a>'

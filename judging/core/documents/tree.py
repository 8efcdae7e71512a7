"""A document as a tree of elements and texts, read from sanitised HTML."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, Union

from judging.core.documents.allowed import EMPTY

DEEPEST: Final = 40
"""The deepest level of elements in a tree. Deeper elements lose their tag, and keep their contents."""


@dataclass
class Element:
    """An element with its attributes and contents."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)

    def elements(self) -> Iterator["Element"]:
        """Yield this element and all elements in it, in the order of the document."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.elements()

    @property
    def has_content(self) -> bool:
        """Return whether the element has visible text or a picture."""
        return any(
            bool(child.strip()) if isinstance(child, str) else child.tag == "img" or child.has_content
            for child in self.children
        )


Node = Union[Element, str]  # noqa: UP007 - a string cannot be on the left of |


def read_tree(html: str) -> Element:
    """Return the tree of sanitised HTML, in which every element is closed."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("div")
        self._open = [self.root]
        self._too_deep = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY and (self._too_deep or len(self._open) > DEEPEST):
            self._too_deep += 1
            return
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:
            return
        if self._too_deep:
            self._too_deep -= 1
        elif len(self._open) > 1:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        children = self._open[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += data
        else:
            children.append(data)

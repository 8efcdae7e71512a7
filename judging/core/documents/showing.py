"""Write a tree as the HTML of a page. Nothing of the source is copied: texts are escaped, tags are known."""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Final

import nh3
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.documents.allowed import (
    EMPTY,
    HEADINGS,
    KEPT,
    LEFT_OUT,
    PICTURE,
    SHOWN,
    SHOWN_ATTRIBUTES,
    SHOWN_CLASSES,
    tags,
)
from judging.core.documents.citations import LITERAL, Citations
from judging.core.documents.pictures import label_of, picture_name
from judging.core.documents.tree import Element, Node
from judging.core.languages import is_known_language

AddressOf = Callable[[str], str]
"""Returns the address of the picture with a name, or "" if the study has none."""
_LOWEST: Final = 6
_NUMBER: Final = re.compile(r"\d{1,3}")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_FORMS: Final = {
    "dir": re.compile("ltr|rtl|auto"),
    "lang": _LANGUAGE,
    "colspan": _NUMBER,
    "rowspan": _NUMBER,
    "scope": re.compile("col|row"),
    "start": re.compile(r"-?\d{1,6}"),
    "value": re.compile(r"-?\d{1,6}"),
    "type": re.compile("[1aAiI]"),
    "reversed": re.compile("(reversed)?"),
}
"""The form that the value of each attribute must have. All others are left out."""
_DIRECTED: Final = tags("p li h1 h2 h3 h4 h5 h6 td th caption blockquote figcaption dt dd pre")
"""Tags whose direction follows from their own text, as in plain text, unless the document sets it."""
_MISSING: Final[dict[str, Promise]] = {
    "picture": gettext_lazy("Picture not shown"),
    "drawing": gettext_lazy("Drawing not shown"),
    "formula": gettext_lazy("Formula not shown"),
    "video": gettext_lazy("Video not shown"),
    "sound": gettext_lazy("Sound not shown"),
    "page": gettext_lazy("Embedded page not shown"),
}

# The last word is the sanitiser's, so that browsers read the page exactly as it was checked. No scheme is
# allowed: all addresses that are left are those of the site's own pictures, and places on the page.
_last: Final = nh3.Cleaner(
    tags=set(SHOWN),
    attributes={tag: set(names) for tag, names in SHOWN_ATTRIBUTES.items()},
    allowed_classes={tag: set(names) for tag, names in SHOWN_CLASSES.items()},
    url_schemes=set(),
    link_rel=None,
)


def show_tree(
    tree: Element, *, heading: int, address_of: AddressOf, citations: Citations | None = None
) -> SafeString:
    """Return the tree as HTML. Its highest heading gets the level `heading`, and no level is skipped."""
    writer = _Writer(heading, address_of, citations)
    html = "".join(piece for child in tree.children for piece in writer.write(child))
    return mark_safe(_last.clean(html))  # noqa: S308 - sanitised


class _Writer:
    def __init__(self, heading: int, address_of: AddressOf, citations: Citations | None) -> None:
        self._heading = heading
        self._address_of = address_of
        self._citations = citations
        self._open_ranks: list[str] = []

    def write(self, node: Node, *, is_literal: bool = False) -> Iterator[str]:
        if isinstance(node, str):
            is_cited = self._citations is not None and not is_literal
            yield self._citations.linked(node) if self._citations and is_cited else escape(node)
        elif node.tag == PICTURE:
            yield self._picture(node)
        elif node.tag in LEFT_OUT:
            yield _placeholder(LEFT_OUT[node.tag], label_of(node))
        elif node.tag in KEPT or node.tag == "span":
            yield from self._element(node, is_literal=is_literal or node.tag in LITERAL)

    def _element(self, element: Element, *, is_literal: bool) -> Iterator[str]:
        tag = self._level(element.tag) if element.tag in HEADINGS else element.tag
        before, after = _box(element.tag)
        yield f"{before}<{tag}{_attributes(element)}>"
        if element.tag in EMPTY:
            return
        for child in element.children:
            yield from self.write(child, is_literal=is_literal)
        yield f"</{tag}>{after}"

    def _level(self, rank: str) -> str:
        while self._open_ranks and self._open_ranks[-1] >= rank:
            self._open_ranks.pop()
        level = self._heading + len(self._open_ranks)
        self._open_ranks.append(rank)
        return f"h{min(level, _LOWEST)}"

    def _picture(self, element: Element) -> str:
        label, name = label_of(element), picture_name(element)
        address = self._address_of(name) if name else ""
        if not address:
            return _placeholder("picture", label)
        return f'<img src="{escape(address)}" alt="{escape(label or _("Picture without a description"))}">'


def _placeholder(kind: str, label: str) -> str:
    words = f"{_MISSING[kind]}: {label}" if label else str(_MISSING[kind])
    return f'<span class="left-out" dir="auto">{escape(words)}</span>'


def _box(tag: str) -> tuple[str, str]:
    """Return what stands around an element that can be wider than the page: a box that scrolls."""
    if tag not in ("table", "pre"):
        return "", ""
    label = _("Table in the document") if tag == "table" else _("Text of the document")
    return f'<div class="wide-part" tabindex="0" role="group" aria-label="{escape(label)}">', "</div>"


def _attributes(element: Element) -> str:
    given = {
        name: value
        for name, value in element.attributes.items()
        if name in _FORMS and _FORMS[name].fullmatch(value) and (name != "lang" or is_known_language(value))
    }
    if element.tag in _DIRECTED:
        given.setdefault("dir", "auto")
    return "".join(f' {name}="{escape(value)}"' for name, value in given.items())

"""Tidy a tree, so that lists hold only items, headings are not empty, and a screen reader finds its way."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final

from judging.core.documents.allowed import APART, BLOCKS, HEADINGS, LEFT_OUT, RENAMED, tags
from judging.core.documents.tree import Element, Node

_LISTS: Final = tags("ul ol")
_TERMS: Final = tags("dt dd")


def tidy(element: Element, parent: str = "") -> Element:
    """Return a copy of the tree with only the tags that pages write.

    Every word stays. A loose item becomes a `div`, loose contents of a list become an item, and an empty
    heading is left out.
    """
    tag = element.tag
    if tag in LEFT_OUT:
        return Element(tag, element.attributes)
    if tag == "dl" and not _is_whole(element):
        tag = "div"
    children = [node for child in element.children for node in _tidied(child, tag)]
    if tag in _LISTS:
        children = list(_grouped(children, lambda node: isinstance(node, Element) and node.tag == "li", "li"))
    return Element(_shown_as(tag, parent), element.attributes, children)


def _tidied(node: Node, parent: str) -> Iterator[Node]:
    if isinstance(node, str):
        yield node
    elif node.tag in APART:
        yield " "
        yield from (inner for child in node.children for inner in _tidied(child, parent))
        yield " "
    elif node.tag not in HEADINGS or node.has_content:
        yield tidy(node, parent)


def _shown_as(tag: str, parent: str) -> str:
    if (tag == "li" and parent not in _LISTS) or (tag in _TERMS and parent != "dl") or tag in BLOCKS:
        return "div"
    return RENAMED.get(tag, tag)


def _is_whole(terms: Element) -> bool:
    """Return whether a list of terms holds terms and descriptions, and nothing else."""
    tags = {
        child if isinstance(child, str) else child.tag
        for child in terms.children
        if not isinstance(child, str) or child.strip()
    }
    return tags == _TERMS


def _grouped(nodes: list[Node], fits: Callable[[Node], bool], tag: str) -> Iterator[Node]:
    """Yield the nodes that fit, and put the others, with their neighbours, into elements of their own."""
    for is_fit, group in groupby(nodes, fits):
        members = list(group)
        if is_fit:
            yield from members
        elif any(not isinstance(node, str) or node.strip() for node in members):
            yield Element(tag, {}, members)

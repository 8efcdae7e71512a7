"""Read the source of a document as a tree that contains only what pages may show."""

from functools import lru_cache
from html.parser import HTMLParser
from typing import Final

import nh3
from markdown_it import MarkdownIt

from judging.core.documents.allowed import ATTRIBUTES, EMPTY, SCHEMES, TAGS, UNSEEN, tags
from judging.core.documents.tidying import tidy
from judging.core.documents.tree import Element, read_tree
from judging.protocol.markup import Markup

DEEPEST_SOURCE: Final = 500
"""The largest number of elements inside each other in a source. Browsers themselves stop near this depth."""
_SELF_CLOSING: Final = EMPTY | tags("p li td th tr dd dt option thead tbody tfoot input link meta")
_cleaner: Final = nh3.Cleaner(
    tags=set(TAGS),
    attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
    clean_content_tags=set(UNSEEN),
    url_schemes=set(SCHEMES),
    link_rel=None,
)
# Markdown may contain HTML. It is sanitised like any other.
_markdown: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@lru_cache(maxsize=64)
def read_document(text: str, markup: Markup) -> Element:
    """Return the tree of a source in HTML or Markdown. Nobody may change the tree, because it is kept."""
    html: str = _markdown.render(text) if markup == Markup.MARKDOWN else text
    return tidy(read_tree(_cleaner.clean(html)))


def is_too_deep(text: str, markup: Markup) -> bool:
    """Return whether elements are nested so deeply that reading the source would take minutes."""
    depth = _Depth()
    depth.feed(_markdown.render(text) if markup == Markup.MARKDOWN else text)
    return depth.deepest > DEEPEST_SOURCE


class _Depth(HTMLParser):
    """Counts the elements that are open. Elements whose end tag can be left out do not count."""

    deepest = 0
    _now = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SELF_CLOSING:
            self._now += 1
            self.deepest = max(self.deepest, self._now)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _SELF_CLOSING:
            self._now = max(0, self._now - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Do nothing: a foreign element that closes itself holds nothing."""

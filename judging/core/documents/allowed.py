"""The parts of HTML that documents may have, and how pages show each of them.

This is the only list. `sanitising` gives it to nh3 when a source is read, and `showing`
gives the last part of it to nh3 when a page is written.
"""

from types import MappingProxyType
from typing import Final


def tags(names: str) -> frozenset[str]:
    """Return the names of tags as a set."""
    return frozenset(names.split())


KEPT: Final = tags(
    "p div blockquote pre hr br wbr ul ol li dl dt dd figure figcaption"
    " h1 h2 h3 h4 h5 h6 table caption thead tbody tfoot tr th td"
    " b strong i em u s del ins mark small sub sup q cite dfn abbr code kbd samp var bdi ruby rt rp"
)
"""Tags that a page shows with the same meaning. Headings only change their level."""
RENAMED: Final = MappingProxyType({"strike": "s", "tt": "code", "big": "span", "a": "span"})
"""Tags that a page shows as others. A link opens nowhere, so that no document takes a worker away."""
BLOCKS: Final = tags(
    "section article header footer main nav aside address center details summary dialog form fieldset"
    " legend hgroup search"
)
"""Tags of which only the lines remain: a page shows each as a `div`."""
APART: Final = tags("button label option optgroup select datalist meter output")
"""Tags of which only the words remain, apart from the words around them."""
LEFT_OUT: Final = MappingProxyType(
    {
        "svg": "drawing",
        "canvas": "drawing",
        "math": "formula",
        "video": "video",
        "audio": "sound",
        "iframe": "page",
        "object": "page",
        "embed": "page",
        "frame": "page",
    }
)
"""Tags that a page cannot show, each with the kind of thing that a placeholder names."""
PICTURE: Final = "img"
UNSEEN: Final = tags("script style title template")
"""Tags whose contents no browser shows in the text either."""
EMPTY: Final = frozenset({"hr", "br", "wbr", PICTURE, "embed", "frame"})
"""Tags that have no contents and no end."""
TAGS: Final = frozenset({*KEPT, *RENAMED, *BLOCKS, *APART, *LEFT_OUT, PICTURE})

ATTRIBUTES: Final = MappingProxyType(
    {
        "*": tags("dir lang"),
        PICTURE: tags("src alt"),
        "svg": tags("aria-label"),
        "math": tags("alttext"),
        "a": tags("href"),
        "th": tags("colspan rowspan scope"),
        "td": tags("colspan rowspan"),
        "ol": tags("start reversed type"),
        "li": tags("value"),
    }
)
"""The attributes that are read. Of these, `showing` writes only those whose value has a known form."""
SCHEMES: Final = tags("http https data")
"""The schemes that an address may have. No page shows such an address; each says that something is lost."""

HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCK_LIKE: Final = BLOCKS | tags(
    "p div blockquote pre hr ul ol li dl dt dd figure figcaption table caption tr th td h1 h2 h3 h4 h5 h6"
)
"""Tags that begin a new line of the plain text."""

SHOWN: Final = frozenset({*KEPT, "span", "a", PICTURE})
"""The tags of a page's document. The only links are those that we write, from markers to sources."""
SHOWN_ATTRIBUTES: Final = MappingProxyType(
    {
        **{tag: names for tag, names in ATTRIBUTES.items() if tag in KEPT or tag == "*"},
        PICTURE: ATTRIBUTES[PICTURE],
        "div": tags("tabindex role aria-label"),
        "a": tags("href id"),
    }
)
SHOWN_CLASSES: Final = MappingProxyType(
    {"div": tags("wide-part"), "span": tags("left-out"), "a": tags("citation")}
)
"""The attributes and classes of a page's document: those above, and our own."""

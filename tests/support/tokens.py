"""The tokens of the design: the colours and lengths that the stylesheets declare in `:root` and `.console`.

They are read from the stylesheets, so that the tests use the same values as the site.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings

LIGHT, DARK = "light", "dark"
SCHEMES: Final = (LIGHT, DARK)
TEXTS: Final = ("ink", "muted", "accent", "good", "bad")
"""The tokens that colour text."""
GROUNDS: Final = ("paper", "card", "notice", "success")
"""The tokens that colour the background of text."""
SERIES: Final = tuple(f"series-{place}" for place in range(1, 7))
"""The tokens that colour the series of a chart, in their order."""

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_ROOT: Final = re.compile(r"(@media \(prefers-color-scheme: dark\) \{\s*)?:root \{([^}]*)\}")
_CONSOLE: Final = re.compile(r"^\.console \{([^}]*)\}", re.MULTILINE)
_COLOUR: Final = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
_LENGTH: Final = re.compile(r"--((?:size|gap)-[\w-]+): ([\d.]+)rem;")


class Lengths(NamedTuple):
    """The sizes and gaps in rem. Each field is a dict from token to length.

    `site` has the lengths that apply to the whole site, and `console` those that apply to the console.
    """

    site: dict[str, float]
    console: dict[str, float]


def css() -> str:
    """Return all stylesheets of the site, without comments."""
    sheets = sorted(Path(settings.STATICFILES_DIRS[0]).glob("*.css"))
    return _COMMENT.sub("", "\n".join(sheet.read_text() for sheet in sheets))


def colours_in(sheets: str) -> dict[str, dict[str, str]]:
    """Return the opaque colours of each scheme, as a dict from token to colour, such as #0b6663."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for in_dark, block in _ROOT.findall(sheets):
        (dark if in_dark else light).update(_COLOUR.findall(block))
    return {LIGHT: light, DARK: light | dark}


def lengths_in(sheets: str) -> Lengths:
    """Return the lengths that the stylesheets declare. Those of the console override those of the site."""
    site = _lengths(block for _, block in _ROOT.findall(sheets))
    return Lengths(site, site | _lengths(_CONSOLE.findall(sheets)))


def _lengths(blocks: Iterable[str]) -> dict[str, float]:
    return {name: float(rem) for block in blocks for name, rem in _LENGTH.findall(block)}

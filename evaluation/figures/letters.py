"""The letters that a font has, and the codes that stand for letters that no font has."""

import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import matplotlib
from fontTools.ttLib import TTFont, TTLibError

DEJAVU: Final = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
"""The folder of the fonts that come with matplotlib."""
SANS: Final = DEJAVU / "DejaVuSans.ttf"
MANY_TO_ONE: Final = 13
"""The format of the table of letters in a font that has one box for all letters of a script."""
JOINERS: Final = frozenset("\u200c\u200d\u200e\u200f\u061c\u2066\u2067\u2068\u2069")
"""Letters without a shape that change how their neighbours are joined or ordered. No font must have them."""

Cluster = str
"""A letter with its accents and joiners, which one font must have together."""


@lru_cache(maxsize=8)  # a report asks often for the letters of DejaVu, and once for those of other fonts
def letters_of(path: Path, index: int = 0) -> frozenset[str]:
    """Return the letters that a font file has. A file that cannot be read, or has only boxes, has none.

    `index` is the place of the font in a file with several fonts.
    """
    try:
        with TTFont(path, fontNumber=index, lazy=True) as font:
            if any(table.format == MANY_TO_ONE for table in font["cmap"].tables):
                return frozenset()
            glyphs: dict[int, str] = font.getBestCmap() or {}
            box = font.getGlyphName(0)
    except (OSError, TTLibError, KeyError):
        return frozenset()
    return frozenset(chr(code) for code, glyph in glyphs.items() if glyph != box) | JOINERS


def has_letters(letters: frozenset[str], cluster: Cluster) -> bool:
    """Return whether a font with these letters has this letter with all its accents."""
    return any(letters.issuperset(form) for form in (cluster, unicodedata.normalize("NFC", cluster)))


def clusters(text: str) -> Iterator[Cluster]:
    """Yield the letters of the text, each with the accents and joiners that follow it."""
    cluster = ""
    for letter in text:
        is_part = unicodedata.category(letter).startswith("M") or letter in JOINERS or "🏻" <= letter <= "🏿"
        if cluster and not is_part and not cluster.endswith("\u200d"):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


def name_letters(text: str, is_missing: Callable[[Cluster], bool]) -> str:
    """Return the text with the missing letters replaced by their codes, such as `[U+0E01 U+0E02]`."""
    if text.isascii():
        return text
    pieces: list[str] = []
    was_missing = False
    for cluster in clusters(text):
        if not is_missing(cluster):
            pieces.append(cluster)
        elif was_missing:
            pieces[-1] = f"{pieces[-1][:-1]} {_codes(cluster)}]"
        else:
            pieces.append(f"[{_codes(cluster)}]")
        was_missing = is_missing(cluster)
    return "".join(pieces)


def letter_names(missing: Collection[Cluster]) -> list[tuple[str, str]]:
    """Return the code and the Unicode name of each letter in these clusters, sorted."""
    letters = sorted({letter for cluster in missing for letter in cluster} - JOINERS)
    return [(_codes(letter), unicodedata.name(letter, "no name in Unicode")) for letter in letters]


def _codes(letters: str) -> str:
    return " ".join(f"U+{ord(letter):04X}" for letter in letters if letter not in JOINERS)

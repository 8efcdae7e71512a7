"""The fonts of the PDF: which letters they have, and the names of letters that none of them has."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import matplotlib
import typst
from fontTools.ttLib import TTFont, TTLibError

from ...errors import InputError

DEJAVU: Final = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
SERIF, ITALIC, SANS, BOLD = (
    DEJAVU / f"{name}.ttf" for name in ("DejaVuSerif", "DejaVuSerif-Italic", "DejaVuSans", "DejaVuSans-Bold")
)
STYLES: Final = ((SERIF, SANS), (ITALIC, SANS), (SANS, SERIF), (BOLD, SERIF))
"""For each style of the text, the font files in which its letters are looked for."""
MANY_TO_ONE: Final = 13
"""The format of the table of letters in fonts that have one box for all letters of a script."""
JOINERS: Final = frozenset("\u200c\u200d\u200e\u200f\u061c\u2066\u2067\u2068\u2069")
"""Letters without a shape that change how their neighbours are joined or ordered. No font must have them."""

Cluster = str
"""A letter with its accents and joiners, which one font must have together."""


@dataclass(frozen=True)
class Font:
    """A font file, the name of its family, and the letters that it has."""

    path: Path
    family: str
    letters: frozenset[str]

    def has(self, cluster: Cluster) -> bool:
        """Return whether the font has this letter with all its accents."""
        return any(self.letters.issuperset(form) for form in (cluster, unicodedata.normalize("NFC", cluster)))


@dataclass(frozen=True)
class Choice:
    """The fonts that a report needs beside DejaVu, and the letters that no font has, sorted."""

    fonts: tuple[Font, ...]
    missing: tuple[str, ...]


def choose_fonts(texts: Iterable[str], folder: str | Path | None) -> Choice:
    """Return the fonts for the letters of these texts that DejaVu lacks.

    Fonts in `folder` come before fonts of the system, and a font with more of the letters before others.
    Raise `InputError` if the folder has no font.
    """
    given = fonts_in(folder) if folder is not None else []
    wanted = {
        cluster
        for text in texts
        if not text.isascii()
        for cluster in clusters(text)
        if not cluster.isascii() and not in_dejavu(cluster)
    }
    chosen = _cover(wanted, given)
    if wanted:
        chosen += _cover(wanted, system_fonts())
    return Choice(tuple(chosen), tuple(sorted(wanted)))


def _cover(wanted: set[Cluster], fonts: Sequence[Font]) -> list[Font]:
    """Return the fonts that have the wanted letters, and remove these letters from `wanted`."""
    chosen: list[Font] = []
    left = list(fonts)
    while wanted and left:
        # `max` returns the first of several fonts that have as many letters.
        best = max(left, key=lambda font: sum(map(font.has, wanted)))
        if not (found := {cluster for cluster in wanted if best.has(cluster)}):
            break
        chosen.append(best)
        left.remove(best)
        wanted -= found
    return chosen


def fonts_in(folder: str | Path) -> list[Font]:
    """Return the fonts in a folder, one file for each family. Raise `InputError` if there is none."""
    fonts = _read_fonts(typst.Fonts(False, False, [str(folder)]))
    if not fonts:
        raise InputError(
            "folder-without-fonts",
            "the folder has no fonts; give a folder with files that end in .ttf, .otf or .ttc",
            str(folder),
        )
    return fonts


@lru_cache(maxsize=1)
def system_fonts() -> list[Font]:
    """Return the fonts of the operating system, one file for each family."""
    return _read_fonts(typst.Fonts(True, False))


def _read_fonts(found: typst.Fonts) -> list[Font]:
    plainest: dict[str, typst.FontInfo] = {}
    for font in sorted(found.fonts(), key=_strangeness):
        # DejaVu is always at hand, and two files of one family could differ in their letters.
        if font.path is not None and not font.family.startswith("DejaVu"):
            plainest.setdefault(font.family, font)
    return [
        Font(Path(font.path), family, letters)
        for family, font in sorted(plainest.items())
        if font.path is not None and (letters := letters_of(Path(font.path), font.index))
    ]


def _strangeness(font: typst.FontInfo) -> tuple[bool, float, float, str, int]:
    """Return a sort key by which the regular font of a family comes first."""
    return font.style != "normal", abs(font.weight - 400), abs(font.stretch - 1), font.path or "", font.index


@lru_cache(maxsize=len({file for files in STYLES for file in files}))
def _dejavu(path: Path) -> frozenset[str]:
    return letters_of(path)


def letters_of(path: Path, index: int = 0) -> frozenset[str]:
    """Return the letters that a font file has. A file that cannot be read, or has only boxes, has none."""
    try:
        with TTFont(path, fontNumber=index, lazy=True) as font:
            if any(table.format == MANY_TO_ONE for table in font["cmap"].tables):
                return frozenset()
            glyphs: dict[int, str] = font.getBestCmap() or {}
    except (OSError, TTLibError, KeyError):
        return frozenset()
    return frozenset(chr(code) for code, glyph in glyphs.items() if glyph != ".notdef") | JOINERS


def in_dejavu(cluster: Cluster) -> bool:
    """Return whether the DejaVu fonts have this letter with all its accents, in every style of the text."""
    return all(any(Font(path, "", _dejavu(path)).has(cluster) for path in files) for files in STYLES)


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


def printable(text: str) -> str:
    """Return the text on one line, without control characters and other letters that are never seen."""
    return "".join(
        letter
        for letter in " ".join(text.split())
        if letter in JOINERS or unicodedata.category(letter) not in ("Cc", "Cf", "Cs")
    )


def namer(missing: Sequence[Cluster]) -> Callable[[str], str]:
    """Return a function that replaces each of the missing letters of a text by its code, as `[U+0E01]`."""
    without_font = frozenset(missing)

    def name(text: str) -> str:
        if text.isascii() or not without_font:
            return text
        named: list[str] = []
        for cluster in clusters(text):
            if cluster not in without_font:
                named.append(cluster)
            elif named and named[-1].startswith("[U+"):
                named[-1] = f"{named[-1][:-1]} {_codes(cluster)}]"
            else:
                named.append(f"[{_codes(cluster)}]")
        return "".join(named)

    return name


def letter_names(missing: Sequence[Cluster]) -> list[tuple[str, str]]:
    """Return the code and the Unicode name of each letter in the missing clusters, sorted."""
    letters = sorted({letter for cluster in missing for letter in cluster if letter not in JOINERS})
    return [(_codes(letter), unicodedata.name(letter, "no name in Unicode")) for letter in letters]


def _codes(letters: str) -> str:
    return " ".join(f"U+{ord(letter):04X}" for letter in letters if letter not in JOINERS)

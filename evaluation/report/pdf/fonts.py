"""The fonts of the PDF: DejaVu, and others for the letters that DejaVu lacks."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import typst

from ...errors import InputError
from ...figures.letters import DEJAVU, JOINERS, SANS, Cluster, clusters, has_letters, letters_of

SERIF, ITALIC, BOLD = (
    DEJAVU / f"{name}.ttf" for name in ("DejaVuSerif", "DejaVuSerif-Italic", "DejaVuSans-Bold")
)
STYLES: Final = ((SERIF, SANS), (ITALIC, SANS), (SANS, SERIF), (BOLD, SERIF))
"""For each style of the text, the font files in which its letters are looked for."""


@dataclass(frozen=True)
class Font:
    """A font file, the name of its family, and the letters that it has."""

    path: Path
    family: str
    letters: frozenset[str]

    def has(self, cluster: Cluster) -> bool:
        """Return whether the font has this letter with all its accents."""
        return has_letters(self.letters, cluster)


@dataclass(frozen=True)
class Choice:
    """The fonts that a report needs beside DejaVu, and the letters that no font has, sorted."""

    fonts: tuple[Font, ...]
    missing: tuple[Cluster, ...]


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


def in_dejavu(cluster: Cluster) -> bool:
    """Return whether the DejaVu fonts have this letter with all its accents, in every style of the text."""
    return all(any(has_letters(letters_of(path), cluster) for path in files) for files in STYLES)


def printable(text: str) -> str:
    """Return the text on one line, without control characters and other letters that are never seen."""
    return "".join(
        letter
        for letter in " ".join(text.split())
        if letter in JOINERS or unicodedata.category(letter) not in ("Cc", "Cf", "Cs")
    )

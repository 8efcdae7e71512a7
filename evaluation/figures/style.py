"""The style of all figures: widths, fonts, and series that can be told apart in colour and in grey.

Figures do not depend on the machine: the font is DejaVu Sans, which comes with matplotlib, and the user's
matplotlibrc has no effect.
"""

from bisect import bisect_right
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache, wraps
from typing import Any, Final, Literal, ParamSpec, TypeVar

import numpy as np
from matplotlib import style as matplotlib_style
from matplotlib.artist import Artist
from matplotlib.textpath import TextPath
from matplotlib.transforms import Transform

from ..options import checked
from .letters import SANS, Cluster, has_letters, letters_of, name_letters

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Width = Literal["column", "page"]
WIDTHS: Final[dict[Width, float]] = {"column": 3.33, "page": 7.0}
"""In inches, the width of one column of a two-column page, and the width of the whole page."""
FONT_SIZE: Final = 7.0
"""In points."""

COLOURS: Final = ("#1b1b1b", "#d55e00", "#004488", "#cc8770", "#6a1b4d", "#3a9fd6", "#0b5d3b", "#ac59ff")
"""Dark and light colours alternate, so that neighbouring colours differ when printed in grey.

Colour-blind readers can tell the hues apart.
"""
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "<")
DASHES: Final[tuple[Any, ...]] = ("-", (0, (4, 1.2)), (0, (1, 1)), (0, (5, 1, 1, 1)))
MOST_SERIES: Final = len(COLOURS)
"""The largest number of lines that readers can tell apart in one panel."""

INK, FAINT, GRID = "#1b1b1b", "#a6a6a6", "#dcdcdc"
LIGHT_BOX, DARK_BOX = (0.93, 0.95, 0.98), (0.36, 0.55, 0.76)

_SETTINGS: Final[dict[str, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": FONT_SIZE,
    "axes.titlesize": FONT_SIZE,
    "axes.labelsize": FONT_SIZE,
    "xtick.labelsize": FONT_SIZE - 1,
    "ytick.labelsize": FONT_SIZE - 1,
    "legend.fontsize": FONT_SIZE - 0.5,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "legend.columnspacing": 1.2,
    "figure.dpi": 300,
    "savefig.dpi": "figure",
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlepad": 3.0,
    "axes.labelpad": 2.5,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.2,
    "patch.linewidth": 0.6,
    # A run can be named a$b, which is not a formula.
    "text.parse_math": False,
    # Without hinting, letters have the same size in every format.
    "text.hinting": "no_hinting",
    # Journals accept TrueType fonts; many refuse Type 3 fonts.
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    # With a fixed salt, the same figure gets the same hashed ids in every SVG file.
    "svg.hashsalt": "plumbline",
}


def context() -> AbstractContextManager[None]:
    """Return a context in which the settings of the figures replace the user's matplotlibrc."""
    settings: AbstractContextManager[None] = matplotlib_style.context(["default", _SETTINGS])
    return settings


def styled(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorate a figure function so that it runs with the settings of `context`, with its options checked."""

    @wraps(function)
    def run(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with context():
            return function(*arguments, **named)

    return checked(run)


@checked
def inches(width: Width) -> float:
    """Return the width in inches. Raise `InputError` for an unknown width."""
    return WIDTHS[width]


def series(place: int) -> dict[str, Any]:
    """Return the colour, dashes and marker of the series with this index."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place % len(DASHES)],
        "marker": MARKERS[place % len(MARKERS)],
    }


def shades(number: int) -> list[tuple[float, ...]]:
    """Return fill colours for ordered boxes, from light to dark. A black line is visible on all of them."""
    steps = [place / max(1, number - 1) for place in range(number)]
    return [tuple(a + (b - a) * step for a, b in zip(LIGHT_BOX, DARK_BOX, strict=True)) for step in steps]


def wrap(name: str, room: float, most: int = 120) -> str:
    """Return a name, broken into lines of at most `room` inches.

    Lines break after a space, comma or bracket if possible. A name of more than `most` characters is
    shortened first.
    """
    lines, rest = [], shorten(name, most)
    while inches_of(rest) > room:
        fits = max(1, bisect_right(range(1, len(rest)), room, key=lambda end: inches_of(rest[:end])))
        breaks = [end for end in range(fits // 2 + 1, fits + 1) if rest[end - 1] in " ,()"]
        end = breaks[-1] if breaks else fits
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return "\n".join([*lines, rest])


def shorten(name: str, most: int = 24) -> str:
    """Return a name on one line, without unprintable characters.

    Letters that DejaVu Sans lacks are replaced by their codes, because matplotlib would draw a box. If the
    result has more than `most` characters, its middle is replaced by an ellipsis.
    """
    clean = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    clean = name_letters(clean, _lacks)
    if len(clean) <= most:
        return clean
    end = (most - 1) // 2
    return f"{clean[: most - 1 - end]}…{clean[-end:]}" if end else clean[:most]


def _lacks(cluster: Cluster) -> bool:
    return not has_letters(letters_of(SANS), cluster)


def fit(name: str, room: float) -> str:
    """Return a name, shortened until it is no wider than `room` inches."""
    cut = shorten(name, 60)
    while len(cut) > 2 and (too_wide := inches_of(cut) / room) > 1:
        cut = shorten(name, min(len(cut) - 1, int(len(cut) / too_wide) + 2))
    return cut


def to_inches(drawn: Artist) -> Transform:
    """Return the transform from the pixels of the artist's figure, whatever its resolution, to inches."""
    drawing = drawn.get_figure(root=True)
    if drawing is None:
        raise ValueError("the artist is in no figure")
    return drawing.dpi_scale_trans.inverted()


@lru_cache(maxsize=1024)  # the figures of a report ask for the same names of runs and measures
def inches_of(text: str) -> float:
    """Return the width of the text in inches, in the font of the titles."""
    outline = TextPath((0, 0), text, size=FONT_SIZE).vertices
    return float(np.ptp(outline[:, 0])) / 72 if len(outline) else 0.0

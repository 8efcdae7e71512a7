"""Names beside points, placed so that they cover neither points nor each other."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from evaluation.arrays import FloatArray
from evaluation.figures import style

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in inches."""
SIZE: Final = style.FONT_SIZE - 1
MOST_NAMES: Final = 20
"""The largest number of points with names; more names would leave no room for the points."""
_MARKER: Final = 0.045
"""Inches from the centre of a point to its edge, with some room around the point."""
_DISTANCES: Final = (0.05, 0.1, 0.16, 0.23, 0.31, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3)
"""Inches between a point and its name. At all distances but the first, a line connects them."""
_HALF_LINE: Final = 0.005
_LEADER: Final[dict[str, Any]] = {
    "arrowstyle": "-",
    "color": style.FAINT,
    "linewidth": 0.5,
    "shrinkA": 0,
    "shrinkB": 0,
}
_SIDES: Final = (
    *((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)),
    *((1, 0.5), (-1, 0.5), (1, -0.5), (-1, -0.5), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1)),
)


def name_points(panel: Axes, names: Sequence[str], x: FloatArray, y: FloatArray) -> None:
    """Write each point's name at the nearest free place inside the panel.

    The panel must already have its final layout. A name without a free place is left out of the panel, but
    not of the figure's table.
    """
    dots = style.DOTS_PER_INCH
    points = panel.transData.transform(np.column_stack([x, y])) / dots
    left, bottom, right, top = (float(end) / dots for end in panel.bbox.extents)
    occupied: list[Box] = [(px - _MARKER, py - _MARKER, px + _MARKER, py + _MARKER) for px, py in points]
    for name, (px, py) in zip(names, points, strict=True):
        text = style.shorten(name, 20)
        size = style.inches_of(text) * SIZE / style.FONT_SIZE + 0.03, 1.25 * SIZE / 72
        free = []
        for place in _places(px, py, *size):
            box = place.box
            inside = left <= box[0] and bottom <= box[1] and box[2] <= right and box[3] <= top
            if inside and not any(_meet(box, other) for other in occupied):
                free.append(place)
                if not any(_meet(part, other) for part in place.line for other in occupied):
                    free = [place]  # the best place: its line crosses nothing
                    break
        if free:
            occupied += [free[0].box, *free[0].line]
            _write(panel, text, free[0])


class _Place(NamedTuple):
    """A place for a name: its box, and the line from the point (`start`) to the name (`end`).

    `line` is a tuple of small boxes that together cover the line. It is empty if no line is drawn.
    """

    box: Box
    start: tuple[float, float]
    end: tuple[float, float]
    line: tuple[Box, ...]


def _places(px: float, py: float, width: float, height: float) -> Iterator[_Place]:
    """Yield the possible places for a name beside a point, from the nearest to the farthest."""
    for away, (sx, sy) in product(_DISTANCES, _SIDES):
        cx, cy = px + sx * (away + width / 2), py + sy * (away + height / 2)
        box = cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2
        start, end = (
            (px + sx * reach, py + sy * reach)
            for reach in ((_MARKER + _HALF_LINE) * 1.01, max(away, _MARKER) - _HALF_LINE)
        )
        steps = [] if away == _DISTANCES[0] else np.linspace(start, end, 12).tolist()
        line = tuple((x - _HALF_LINE, y - _HALF_LINE, x + _HALF_LINE, y + _HALF_LINE) for x, y in steps)
        yield _Place(box, start, end, line)


def _write(panel: Axes, text: str, place: _Place) -> None:
    dots = style.DOTS_PER_INCH
    middle = (place.box[0] + place.box[2]) / 2 * dots, (place.box[1] + place.box[3]) / 2 * dots
    fixed: dict[str, Any] = {"xycoords": "figure pixels", "annotation_clip": False}
    panel.annotate(text, middle, ha="center", va="center", fontsize=SIZE, **fixed)
    if place.line:
        start, end = ((x * dots, y * dots) for x, y in (place.start, place.end))
        panel.annotate("", start, end, textcoords="figure pixels", arrowprops=_LEADER, **fixed)


def _meet(first: Box, second: Box) -> bool:
    across = min(first[2], second[2]) - max(first[0], second[0])
    along = min(first[3], second[3]) - max(first[1], second[1])
    return across > 0 and along > 0

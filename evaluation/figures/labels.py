"""Names beside points, placed so that they cover neither points nor each other."""

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from ..arrays import FloatArray
from . import style

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in inches."""
Offset = tuple[float, float]
"""Inches to the right of a point and above it."""
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
    to_inches = style.to_inches(panel)
    coordinates = list(zip(x.tolist(), y.tolist(), strict=True))
    points = (panel.transData + to_inches).transform(coordinates)
    left, bottom, right, top = panel.bbox.transformed(to_inches).extents
    occupied: list[Box] = [(px - _MARKER, py - _MARKER, px + _MARKER, py + _MARKER) for px, py in points]
    for name, own, (px, py) in zip(names, coordinates, points, strict=True):
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
            _write(panel, text, own, free[0])


class _Place(NamedTuple):
    """A place for a name: its box, and the line from the point to the name.

    `middle` is the middle of the name, and `start` and `end` are the ends of the line, seen from the point.
    `line` is a tuple of small boxes that together cover the line. It is empty if no line is drawn.
    """

    box: Box
    middle: Offset
    start: Offset
    end: Offset
    line: tuple[Box, ...]


def _places(px: float, py: float, width: float, height: float) -> Iterator[_Place]:
    """Yield the possible places for a name beside a point, from the nearest to the farthest."""
    for away, (sx, sy) in product(_DISTANCES, _SIDES):
        middle = sx * (away + width / 2), sy * (away + height / 2)
        cx, cy = px + middle[0], py + middle[1]
        box = cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2
        reaches = (_MARKER + _HALF_LINE) * 1.01, max(away, _MARKER) - _HALF_LINE
        start, end = ((sx * reach, sy * reach) for reach in reaches)
        steps = [] if away == _DISTANCES[0] else (np.linspace(start, end, 12) + np.array([px, py])).tolist()
        line = tuple((x - _HALF_LINE, y - _HALF_LINE, x + _HALF_LINE, y + _HALF_LINE) for x, y in steps)
        yield _Place(box, middle, start, end, line)


def _write(panel: Axes, text: str, point: tuple[float, float], place: _Place) -> None:
    """Write the name, and draw its line. Both follow the point at any resolution."""
    fixed: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    panel.annotate(text, point, _in_points(place.middle), ha="center", va="center", fontsize=SIZE, **fixed)
    if place.line:
        gap = math.hypot(*_in_points(place.start))
        panel.annotate("", point, _in_points(place.end), arrowprops=_LEADER | {"shrinkB": gap}, **fixed)


def _in_points(inches: Offset) -> Offset:
    return 72 * inches[0], 72 * inches[1]


def _meet(first: Box, second: Box) -> bool:
    across = min(first[2], second[2]) - max(first[0], second[0])
    along = min(first[3], second[3]) - max(first[1], second[1])
    return across > 0 and along > 0

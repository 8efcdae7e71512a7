"""How well people can tell colours apart: contrast, and difference for each kind of colour vision."""

from collections.abc import Sequence
from itertools import combinations
from math import dist
from typing import Final

LEAST_TEXT: Final = 4.5
"""The lowest allowed contrast between text and its background (WCAG 2.2, criterion 1.4.3)."""
LEAST_PICTURE: Final = 3.0
"""The lowest allowed contrast between parts of a picture and their background (WCAG 2.2, criterion 1.4.11).
"""
LEAST_DIFFERENCE: Final = 10.0
"""The lowest allowed difference between two series of a chart. See `least_difference`.

It applies to each kind of colour vision.
"""

Rgb = tuple[float, float, float]
Matrix = tuple[Rgb, Rgb, Rgb]

SIGHTS: Final[dict[str, Matrix]] = {
    "trichromacy": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Maps each kind of colour vision to the matrix that simulates it in linear RGB.

The numbers are those of Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for Simulation
of Color Vision Deficiency", for the severity 1.0.
"""


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2.2 defines it: 1 if they are equal, 21 at most."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def least_difference(colours: Sequence[str], sight: str) -> float:
    """Return how different the two most similar colours are for people with this kind of colour vision.

    The difference is the Euclidean distance in the OKLab space, times 100. A difference of about 2 is just
    noticeable.
    """
    seen = [_oklab(_as_seen(_linear(colour), SIGHTS[sight])) for colour in colours]
    pairs = combinations(seen, 2)
    return min(100 * dist(one, other) for one, other in pairs)


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(colour: str) -> Rgb:
    """Return the linear red, green and blue of a colour such as #0b6663."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return _straight(red), _straight(green), _straight(blue)


def _straight(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _as_seen(colour: Rgb, sight: Matrix) -> Rgb:
    red, green, blue = (min(1.0, max(0.0, value)) for value in _times(sight, colour))
    return red, green, blue


def _oklab(colour: Rgb) -> Rgb:
    """Return a colour in the OKLab space of Ottosson (2020), in which distances agree with perception."""
    long, middle, short = (value ** (1 / 3) for value in _times(_TO_CONES, colour))
    return _times(_TO_LAB, (long, middle, short))


def _times(matrix: Matrix, vector: Rgb) -> Rgb:
    first, second, third = (sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


_TO_CONES: Final[Matrix] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Final[Matrix] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)

"""The numbers that people prefer, and how people type them."""

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from math import floor, log10
from random import Random
from typing import Final


class Taste(StrEnum):
    """The numbers that a worker prefers."""

    WHOLE = "whole"
    """1, 2, 3 … 10, then 12, 15, 20, 25 …, and numbers below 1 with the same digits."""
    ROUND = "round"
    """1, 2, 3, 5, 8, 10, 20 …"""
    FINE = "fine"
    """Two significant digits: 3.7, 12, 0.45."""


_SHARES: Final = {Taste.WHOLE: 6, Taste.ROUND: 2, Taste.FINE: 2}
_WHOLE_BELOW_TEN: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
_WHOLE: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 7.5, 8, 9, 10)
_ROUND: Final = (1, 2, 3, 5, 8, 10)
_FRACTIONS: Final = {0.5: "1/2", 0.25: "1/4", 0.75: "3/4", 1.5: "1 1/2", 2.5: "2 1/2"}


def draw_taste(rng: Random) -> Taste:
    return rng.choices(list(_SHARES), weights=list(_SHARES.values()))[0]


def favourite(value: float, taste: Taste) -> float:
    """Return the number that suits this taste and is closest to `value` (> 0) by ratio."""
    decade = floor(log10(value))
    digits = value / 10.0**decade
    if taste == Taste.FINE:
        chosen = round(digits, 1)
    elif taste == Taste.ROUND:
        chosen = _nearest(digits, _ROUND)
    else:
        chosen = _nearest(digits, _WHOLE_BELOW_TEN if decade == 0 else _WHOLE)
    return float(f"{chosen * 10.0**decade:.2g}")


def write_number(value: float, rng: Random, *, comma: bool) -> str:
    """Return `value` as a person types it: sometimes as a fraction, and with a comma if `comma` is true."""
    if value in _FRACTIONS and rng.random() < 0.2:
        return _FRACTIONS[value]
    plain = f"{value:.10f}".rstrip("0").rstrip(".") if 1e-9 <= value < 1e15 else f"{value:g}"
    return plain.replace(".", ",") if comma else plain


def _nearest(digits: float, grid: Sequence[float]) -> float:
    above = min(bisect_left(grid, digits), len(grid) - 1)
    below = max(above - 1, 0)
    return grid[below] if digits * digits < grid[below] * grid[above] else grid[above]

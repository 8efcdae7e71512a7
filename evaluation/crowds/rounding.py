"""Replace numbers with the closest ones that people like to type."""

from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray

TASTES: Final = ("whole", "round", "fine")
"""`whole`: 1, 2 … 10, then 12, 15, 20, 25 …; `round`: 1, 2, 3, 5, 8, 10, 20 …; `fine`: two digits."""
_WHOLE_BELOW_TEN: Final = np.arange(1.0, 11.0)
_WHOLE: Final = np.array([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 7.5, 8, 9, 10])
_ROUND: Final = np.array([1.0, 2, 3, 5, 8, 10])


def favourite(values: FloatArray, taste: IntArray) -> FloatArray:
    """Return, for each value, the closest number that suits a taste.

    `taste` has an index in `TASTES` for each value. For `whole` and `round`, the closest number is the one
    whose ratio to the value is closest to 1. For `fine`, the value is rounded to two digits.
    """
    decade = np.floor(np.log10(values))
    digits = values / 10.0**decade
    nearest = np.select(
        [taste == 2, taste == 1, decade == 0],
        [np.round(digits, 1), _nearest(digits, _ROUND), _nearest(digits, _WHOLE_BELOW_TEN)],
        _nearest(digits, _WHOLE),
    )
    result: FloatArray = np.round(nearest * 10.0**decade, 12)
    return result


def _nearest(digits: FloatArray, grid: FloatArray) -> FloatArray:
    above = np.clip(np.searchsorted(grid, digits), 1, len(grid) - 1)
    low, high = grid[above - 1], grid[above]
    nearest: FloatArray = np.where(digits * digits < low * high, low, high)
    return nearest

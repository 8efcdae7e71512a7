"""Percentile intervals from bootstrap samples of items, such as topics, documents or units."""

from collections.abc import Callable
from typing import Final

import numpy as np

from ..arrays import FloatArray

Bounds = tuple[float | None, float | None]
NONE: Final[Bounds] = (None, None)
_AT_ONCE: Final = 2**22
"""The number of weights that are in memory together."""


def percentiles(values: FloatArray, level: float) -> Bounds:
    """Return the percentile interval of resampled values, or None, None if all are NaN."""
    present = values[~np.isnan(values)]
    if not present.size:
        return NONE
    low, high = np.quantile(present, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def resampled_items(
    number: int, rng: np.random.Generator, resamples: int, statistic: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Return a statistic of each bootstrap sample of `number` items, as an array with a row for each sample.

    Each call of `statistic` gets some of the samples as an array (samples, items). The array says how often
    each sample contains each item.
    """
    shares = np.full(number, 1 / number)
    step = max(1, _AT_ONCE // number)
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)]
    return np.concatenate(
        [statistic(rng.multinomial(number, shares, size=size).astype(np.float64)) for size in sizes]
    )

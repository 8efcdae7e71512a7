"""Confidence intervals of a system's mean over topics."""

import math

import numpy as np
import scipy

from ..arguments import refuse_level, refuse_resamples
from ..arrays import FloatArray
from ..conventions import RESAMPLES
from .results import Values, refuse_infinite, without_scale

Bounds = tuple[float, float]


def bootstrap_interval(
    values: Values, rng: np.random.Generator, *, level: float = 0.95, resamples: int = RESAMPLES
) -> Bounds | None:
    """Return the percentile bootstrap interval of the mean [Efron & Tibshirani, 1993, chapter 13].

    `values` has one value for each topic, with NaN for no value. There are `resamples` samples. For each
    sample, scipy's `bootstrap` draws n times, with replacement, from the n topics that have a value. The
    bounds are the quantiles (1 ∓ `level`)/2 of the samples' means. For the same state of `rng`, two systems
    with the same number of values get the same draws.

    Return None for fewer than two values. Raise `InputError` for an infinite value, for a `level` outside
    (0, 1) and for fewer than one resample.

    Example: a quarter of the samples of the values 0 and 1 have a mean of 0, half have a mean of ½, and a
    quarter have a mean of 1. So the 95 % interval is from 0 to 1, and the 40 % interval is from ½ to ½.
    """
    known = _known(values, level)
    refuse_resamples(resamples)
    if known.size < 2:
        return None
    interval = scipy.stats.bootstrap(
        (known,), np.mean, confidence_level=level, n_resamples=resamples, method="percentile", rng=rng
    ).confidence_interval
    return float(interval.low), float(interval.high)


def t_interval(
    values: Values, *, level: float = 0.95, within: Bounds = (-math.inf, math.inf)
) -> Bounds | None:
    """Return Student's interval of the mean: mean ± t((1 + `level`)/2; n − 1) · s/√n.

    `values` has one value for each topic, with NaN for no value. n is the number of values, and s is their
    standard deviation with the divisor n − 1. `within` has the lowest and the highest possible mean, where
    the interval ends. Return None for fewer than two values. Raise `InputError` for an infinite value and for
    a `level` outside (0, 1).

    Example: 1, 2, 3 have a mean of 2 and s = 1, so the 95 % interval is 2 ± 4.303/√3, from −.484 to 4.484.
    """
    known = _known(values, level)
    if known.size < 2:
        return None
    t = float(scipy.stats.t.isf((1 - level) / 2, known.size - 1))
    scaled, unit = without_scale(known)
    half = unit * t * scaled.std(ddof=1) / math.sqrt(known.size)
    low, high = np.clip((known.mean() - half, known.mean() + half), *within)
    return float(low), float(high)


def _known(values: Values, level: float) -> FloatArray:
    """Return the values except NaN. Raise `InputError` for an infinite value and for an invalid level."""
    refuse_level(level)
    array = np.asarray(values, dtype=np.float64)
    refuse_infinite(array)
    known: FloatArray = array[~np.isnan(array)]
    return known

"""Gain schemes: the gain of each judged value.

- `"linear"`: the value g itself; `"exp"`: 2^g − 1; `"pow2"`: 2^g; `"binary"`: 1 for a value above 0, else 0.
  These accept any real value.
- `"0-1-10-100"`: the gains of the grades 0, 1, 2, … in this order. Kekäläinen (IP&M 2005) names four such
  schemes: w1 `0-1-1-1`, w3 `0-1-2-3`, w10 `0-1-5-10` and w100 `0-1-10-100`.
- `"0:0,0.5:1,2:10"`: a list of judged values, each with its gain. The values need not be whole.
  `files.read_scheme` reads such a scheme from a file.

The last two are called written schemes, because they list the judged values that have a gain. Any other value
is an error.
"""

import re
from functools import lru_cache

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..errors import InputError, shown

NUMBER = r"\d+(\.\d+)?"
REAL = rf"{NUMBER}([eE][+-]?\d+)?"
GRADES = re.compile(rf"{NUMBER}(-{NUMBER})+")
MAPPING = re.compile(rf"{REAL}:{REAL}(,{REAL}:{REAL})*")
LARGEST_EXPONENT = 1000  # 2^1024 is infinite, and sums of smaller powers must stay finite


def is_scheme(text: object) -> bool:
    """Return whether `text` is the notation of a gain scheme."""
    if not isinstance(text, str):
        return False
    return text in ("linear", "exp", "pow2", "binary") or (is_written(text) and _is_sound(text))


def is_written(scheme: str) -> bool:
    """Return whether a scheme lists the judged values that have a gain."""
    return (GRADES.fullmatch(scheme) or MAPPING.fullmatch(scheme)) is not None


@lru_cache(maxsize=64)
def steps(scheme: str) -> tuple[FloatArray, FloatArray]:
    """Return the judged values of a written scheme, ascending, and their gains, as two arrays."""
    if GRADES.fullmatch(scheme):
        gains = np.array([float(step) for step in scheme.split("-")])
        return np.arange(len(gains), dtype=np.float64), gains
    pairs = sorted(tuple(map(float, pair.split(":"))) for pair in scheme.split(","))
    values, gains = np.array(pairs).T
    return values, gains


def places(scheme: str, values: FloatArray) -> tuple[IntArray, BoolArray]:
    """Return the index of each value in a written scheme, and whether the scheme lists the value."""
    listed, _ = steps(scheme)
    place = np.minimum(np.searchsorted(listed, values), len(listed) - 1)
    return place, listed[place] == values


def misfits(scheme: str, values: FloatArray) -> BoolArray:
    """Return which judged values have no gain under a scheme.

    A written scheme gives no gain to values that it does not list. `"exp"` and `"pow2"` give no gain to
    values whose powers are too large to add up.
    """
    if is_written(scheme):
        return ~places(scheme, values)[1]
    if scheme in ("linear", "binary"):
        return np.zeros(values.shape, dtype=np.bool_)
    too_large: BoolArray = values > LARGEST_EXPONENT
    return too_large


def gains_of(scheme: str, values: FloatArray) -> FloatArray:
    """Return the gain of each judged value, in the same shape. An unjudged document (NaN) has gain 0.

    Raise `InputError` for a value without a gain under the scheme.
    """
    judged = ~np.isnan(values)
    known = np.where(judged, values, 0.0)
    if scheme == "linear":
        return known
    if (has_no_gain := judged & misfits(scheme, values)).any():
        raise InputError(
            "value-without-gain",
            "the judged value {value} has no gain under the scheme {scheme}; use a scheme that covers it",
            value=f"{values[has_no_gain].flat[0]:g}",
            scheme=shown(scheme),
        )
    if scheme == "binary":
        return np.where(known > 0, 1.0, 0.0)
    if scheme == "exp":
        # Near 0, the difference would lose digits. At whole grades, expm1 would not give whole numbers.
        return np.where(known < 0.5, np.expm1(known * np.log(2)), np.exp2(known) - 1)
    if scheme == "pow2":
        return np.where(judged, np.exp2(known), 0.0)
    return np.where(judged, steps(scheme)[1][places(scheme, known)[0]], 0.0)


def lacks_gain(gains: FloatArray) -> BoolArray:
    """Return, for each topic, whether all its gains are 0 (topics,). `gains` is (topics, documents)."""
    is_empty: BoolArray = np.count_nonzero(gains, axis=-1) == 0
    return is_empty


def _is_sound(scheme: str) -> bool:
    """Return whether all numbers of a written scheme are finite and no value is listed twice."""
    values, gains = steps(scheme)
    return bool(np.isfinite(values).all() and np.isfinite(gains).all() and (np.diff(values) > 0).all())

"""Gain schemes: what a judged value is worth."""

import re

import numpy as np

from evaluation.arrays import BoolArray, FloatArray
from evaluation.errors import InputError, shown

SCHEME = re.compile(r"\d+(\.\d+)?(-\d+(\.\d+)?)+")
SCHEMES = '"linear", "exp" (2^g − 1), "pow2" (2^g), or the gains of the grades 0, 1, … as in 0-1-10-100'
LARGEST_EXPONENT = 1000  # 2^1024 is infinite; what remains leaves room for sums


def is_scheme(text: object) -> bool:
    return text in ("linear", "exp", "pow2") or (isinstance(text, str) and SCHEME.fullmatch(text) is not None)


def misfits(scheme: str, values: FloatArray) -> BoolArray:
    """Which judged values the scheme has no gain for: grades it does not list, powers too large to add up."""
    if scheme == "linear":
        return np.zeros(values.shape, dtype=np.bool_)
    if scheme in ("exp", "pow2"):
        return values > LARGEST_EXPONENT
    unlisted: BoolArray = (values % 1 != 0) | (values >= len(scheme.split("-")))
    return unlisted


def gains_of(scheme: str, values: FloatArray) -> FloatArray:
    """The gain of each judged value, of any shape; an unjudged document (NaN) has gain 0."""
    judged = ~np.isnan(values)
    known = np.where(judged, values, 0.0)
    if misfits(scheme, known).any():
        worst = known[misfits(scheme, known)].flat[0]
        raise InputError(f"the judged value {worst:g} has no gain under {shown(scheme)}")
    if scheme == "linear":
        return known
    if scheme == "exp":
        # Near 0 the difference would lose its digits, and at whole grades expm1 would not be whole.
        return np.where(known < 0.5, np.expm1(known * np.log(2)), np.exp2(known) - 1)
    if scheme == "pow2":
        return np.where(judged, np.exp2(known), 0.0)
    steps = np.array([float(step) for step in scheme.split("-")])
    return np.where(judged, steps[known.astype(np.int64)], 0.0)


def gainless(gains: FloatArray) -> BoolArray:
    """Which topics have no gain at all (topics, documents) → (topics,)."""
    none: BoolArray = np.count_nonzero(gains, axis=-1) == 0
    return none

"""ADM, the average distance measure [Mizzaro 2001; ZY10]: how far a system's scores are from the user's.

Not the order counts but the scores themselves, both from 0 to 1.
"""

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from evaluation.arrays import BoolArray, FloatArray
from evaluation.errors import InputError, shown
from evaluation.origin import first

Scale = Literal["none", "max", "minmax"]
SCALES: tuple[Scale, ...] = get_args(Scale)

BOUNDS: dict[Scale, tuple[float, float]] = {"none": (0, 1), "max": (0, np.inf), "minmax": (-np.inf, np.inf)}
"""The lowest and the highest score that each takes."""


def adm(user: Mapping[str, float], system: Mapping[str, float], *, scale: Scale = "none") -> float | None:
    """1 − mean |s − u| over the documents that have either score; one that is missing counts 0.

    `scale` brings in scores that are not from 0 to 1, those of the user and of the system each for itself:
    "max" divides by the largest, "minmax" takes the lowest to 0 and the highest to 1, and where all
    are equal, to 1. Then an unranked document is worth as little as the lowest that is ranked. By
    default a score outside 0 … 1 raises `InputError`, as does a negative one under "max". None without
    documents.

    Example: user .3 .2 .1, system .6 .4 .2: 1 − (.3 + .2 + .1)/3 = .80; system .1 .2 .3: 1 − (.2 + 0 + .2)/3
    = .87.
    """
    s, u = side_by_side(brought_in(system, scale), brought_in(user, scale))
    return 1 - float(np.abs(s - u).mean()) if len(s) else None


def misfits(scores: FloatArray, scale: Scale) -> BoolArray:
    """Which finite scores the scale has no place for. Raises `InputError` for a scale that is not known."""
    if scale not in SCALES:
        raise InputError(
            "unknown-scale",
            "scale={scale} is unknown; choose from {known}",
            scale=shown(scale),
            known=", ".join(SCALES),
        )
    lowest, highest = BOUNDS[scale]
    return (scores < lowest) | (scores > highest)


def misfit(score: float, document: str, scale: Scale) -> InputError:
    """Return the error for a score that does not fit the scale, `"none"` or `"max"`."""
    if scale == "max":
        return InputError(
            "negative-score-on-scale",
            "score {score} of document {document} is negative, and dividing by the largest score leaves it "
            "so; scale from the lowest to the highest: --scale minmax",
            score=f"{score:g}",
            document=shown(document),
        )
    return InputError(
        "score-off-scale",
        "score {score} of document {document} is outside 0 … 1; correct it, or scale the scores: "
        "--scale max, --scale minmax",
        score=f"{score:g}",
        document=shown(document),
    )


def brought_in(scores: Mapping[str, float], scale: Scale) -> dict[str, float]:
    """The scores of one side in one topic, brought to 0 … 1. Raises `InputError` for one that misfits."""
    values = np.array(list(scores.values()), dtype=np.float64)
    if (place := first(~np.isfinite(values))) is not None:
        raise InputError(
            "score-not-finite",
            "score {score} of document {document} is not finite; give a number",
            score=f"{values[place]:g}",
            document=shown(list(scores)[place]),
        )
    if (place := first(misfits(values, scale))) is not None:
        raise misfit(values[place], list(scores)[place], scale)
    if scale != "none" and values.any():
        values = values / np.abs(values).max()  # so that no difference of two scores is infinite
    if scale == "minmax" and len(values):
        low, high = values.min(), values.max()
        values = (values - low) / (high - low) if low < high else np.ones(len(values))
    return dict(zip(scores, values.tolist(), strict=True))


def side_by_side(one: Mapping[str, float], other: Mapping[str, float]) -> tuple[FloatArray, FloatArray]:
    """Both sides' scores over the documents that have either; 0 where one is missing."""
    documents = sorted(one.keys() | other.keys())  # in one order, so that sums are the same to the last bit
    return _column(one, documents), _column(other, documents)


def _column(scores: Mapping[str, float], documents: list[str]) -> FloatArray:
    return np.array([scores.get(document, 0.0) for document in documents], dtype=np.float64)

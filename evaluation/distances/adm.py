"""ADM, the average distance measure [Mizzaro 2001; ZY10]: how far a system's scores are from the user's.

ADM compares the scores themselves, which lie between 0 and 1, and not the order of the documents.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..errors import InputError, shown
from ..options import checked
from ..origin import first

Scale = Literal["none", "max", "minmax"]

BOUNDS: dict[Scale, tuple[float, float]] = {"none": (0, 1), "max": (0, np.inf), "minmax": (-np.inf, np.inf)}
"""The lowest and the highest score that each scale accepts."""


@checked
def adm(
    user: Mapping[str, float],
    system: Mapping[str, float],
    *,
    scale: Scale = "none",
    N: int | None = None,  # noqa: N803 (the usual symbol)
) -> float | None:
    """Return ADM: 1 − mean |s − u| over the documents that either side has scored, or over the collection.

    s and u are a document's scores by the system and by the user; a missing score counts as 0. `scale` says
    how to bring the scores into the range 0 … 1, separately for the user and the system. `"max"` divides by
    the largest score. `"minmax"` maps the lowest score to 0 and the highest to 1, or all scores to 1 if they
    are equal. Under `"minmax"`, a document without a score counts the same as the document with the lowest
    score, unless all scores are equal.

    `N` is the number of documents in the collection. With it, the mean is over the whole collection, as in
    [ZY10]: documents that neither side has scored differ by 0, so ADM is closer to 1. By default, it is over
    the documents that either side has scored.

    Return None if there are no documents. Raise `InputError` for a score outside 0 … 1 under `"none"`, for a
    negative score under `"max"`, and if more than `N` documents have a score.

    Example: the user's scores are .3, .2, .1. The system's scores .6, .4, .2 give 1 − (.3 + .2 + .1)/3 = .80.
    The system's scores .1, .2, .3 give 1 − (.2 + 0 + .2)/3 = .87. In a collection of 10 documents (N = 10),
    they give 1 − .6/10 = .94 and 1 − .4/10 = .96.
    """
    s, u = side_by_side(scale_scores(system, scale), scale_scores(user, scale))
    size = len(s) if N is None else N
    if size < len(s):
        raise InputError(
            "collection-too-small-for-adm",
            "N={size} in adm is too small: {known} documents have a score; set N to the number of documents "
            "in the collection",
            size=size,
            known=len(s),
        )
    return 1 - float(np.abs(s - u).sum()) / size if size else None


@checked
def misfits(scores: FloatArray, scale: Scale) -> BoolArray:
    """Return, for each score, whether it is outside the bounds of the scale.

    Raise `InputError` for an unknown scale.
    """
    lowest, highest = BOUNDS[scale]
    return (scores < lowest) | (scores > highest)


@checked
def misfit(score: float, document: str, scale: Scale) -> InputError:
    """Return the error for a score outside the bounds of the scale `"none"` or `"max"`."""
    if scale == "max":
        return InputError(
            "negative-score-on-scale",
            "score {score} of document {document} is negative, so dividing by the largest score "
            "cannot bring it into the range 0 to 1; use --scale minmax",
            score=f"{score:g}",
            document=shown(document),
        )
    return InputError(
        "score-off-scale",
        "score {score} of document {document} is outside the range 0 to 1; correct the score, or use "
        "--scale max or --scale minmax",
        score=f"{score:g}",
        document=shown(document),
    )


@checked
def scale_scores(scores: Mapping[str, float], scale: Scale) -> dict[str, float]:
    """Return the scores of one side in one topic, scaled to 0 … 1.

    Raise `InputError` for a score that is not finite or does not fit the scale.
    """
    values = np.array(list(scores.values()), dtype=np.float64)
    if (place := first(~np.isfinite(values))) is not None:
        raise InputError(
            "score-not-finite",
            "score {score} of document {document} is not finite; give a finite number",
            score=f"{values[place]:g}",
            document=shown(list(scores)[place]),
        )
    if (place := first(misfits(values, scale))) is not None:
        raise misfit(values[place], list(scores)[place], scale)
    if scale != "none" and values.any():
        values = values / np.abs(values).max()  # the difference of two large scores could overflow
    if scale == "minmax" and len(values):
        low, high = values.min(), values.max()
        values = (values - low) / (high - low) if low < high else np.ones(len(values))
    return dict(zip(scores, values.tolist(), strict=True))


def side_by_side(first: Mapping[str, float], second: Mapping[str, float]) -> tuple[FloatArray, FloatArray]:
    """Return both sides' scores for all documents that either side has scored; a missing score is 0."""
    documents = sorted(first.keys() | second.keys())  # a fixed order makes sums reproducible bit for bit
    return _column(first, documents), _column(second, documents)


def _column(scores: Mapping[str, float], documents: list[str]) -> FloatArray:
    return np.array([scores.get(document, 0.0) for document in documents], dtype=np.float64)

"""Earlier measures of graded relevance that [JK02, 2.4] mentions without their exact formulas.

Relative relevance and ranked half-life come from Borlund & Ingwersen (SIGIR 1998). Satisfaction, frustration
and their total come from Myaeng & Korfhage (IP&M 1990). Each function computes a measure for one topic; a
result that would be 0/0 is None.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..errors import InputError
from ..options import checked
from ..showing import short_repr
from .adm import side_by_side

Values = Sequence[float] | npt.NDArray[np.float64]
"""The gains at ranks 1, 2, 3 … of one list. A gain that is negative or not finite raises `InputError`."""


@checked
def relative_relevance(
    user: Mapping[str, float], system: Mapping[str, float], form: Literal["cosine", "jaccard"] = "cosine"
) -> float | None:
    """Return the similarity of the user's and the system's scores, as a cosine or a Jaccard coefficient.

    The cosine is Σsu/√(Σs²·Σu²), and the Jaccard coefficient is Σsu/(Σs² + Σu² − Σsu). s and u are a
    document's scores by the system and by the user. The sums are over the documents that either side has
    scored; a missing score counts as 0. Return None if all scores are 0. For the cosine, also return None
    if all scores of one side are 0. Raise `InputError` for a score that is negative or not finite, and for an
    unknown form.

    Example: ⟨1, .5, 0⟩ and ⟨1, 0, .5⟩ have Σsu = 1 and Σs² = Σu² = 1.25. The cosine is 1/1.25 = .80, and the
    Jaccard coefficient is 1/(1.25 + 1.25 − 1) = .67.
    """
    s, u = (_checked(side, "scores") for side in side_by_side(system, user))
    largest = s.max(initial=0), u.max(initial=0)
    # Dividing by the largest score keeps the squares finite. Scaling one side does not change the cosine;
    # scaling both sides alike does not change Jaccard.
    if max(largest) == 0 or (form == "cosine" and min(largest) == 0):
        return None
    if form == "cosine":
        s, u = s / largest[0], u / largest[1]
        return float(s @ u / np.sqrt((s @ s) * (u @ u)))
    s, u = s / max(largest), u / max(largest)
    return float(s @ u / (s @ s + u @ u - s @ u))


def ranked_half_life(gains: Values) -> float | None:
    """Return the rank, as a real number, at which half of the list's total gain is reached. Lower is better.

    The rank is (m − 1) + (CG[L]/2 − CG[m−1])/g[m]. L is the length of the list, g[m] is the gain at rank m,
    and CG[m] is the sum of the gains down to rank m. m is the first rank with CG[m] ≥ CG[L]/2. Return None if
    the list has no gain. Raise `InputError` for a gain that is negative or not finite.

    Example: for ⟨.5, 1, .5, 0⟩, CG[4]/2 = 1 and m = 2, so the rank is 1 + (1 − .5)/1 = 1.5.
    """
    g = _checked(gains, "gains")
    if not g.any():
        return None
    g = g / g.max()
    cumulated = np.cumsum(g)
    half = cumulated[-1] / 2
    before = int(np.searchsorted(cumulated, half))  # m − 1
    return float(before + (half - (cumulated[before - 1] if before else 0.0)) / g[before])


@short_repr
@dataclass(frozen=True)
class SatisfactionFrustration:
    """Satisfaction and frustration at the first ranks of a list, and their weighted `total`."""

    satisfaction: float | None
    frustration: float | None
    weight: float

    @property
    def total(self) -> float | None:
        """The weighted total w·S + (1 − w)(1 − F); None if S or F is None."""
        if self.satisfaction is None or self.frustration is None:
            return None
        return self.weight * self.satisfaction + (1 - self.weight) * (1 - self.frustration)


def satisfaction_frustration(
    gains: Values, threshold: float, n: int, weight: float = 0.5
) -> SatisfactionFrustration:
    """Return satisfaction S and frustration F at the first n ranks, for a threshold t and a weight w.

    A document is satisfying if its gain g is at least t. S is Σ g over the satisfying documents at the first
    n ranks, divided by the same sum for the ideal order of the list. F is Σ (t − g) over the other documents
    at these ranks, divided by the same sum for the worst order. Both orders contain only the retrieved
    documents. S is None if no satisfying document has a gain above 0. F is None if all documents are
    satisfying. Raise `InputError` unless n ≥ 1, t is finite, and 0 ≤ w ≤ 1.

    Example: for ⟨3, 0, 2, 1⟩ with t = 2 and n = 2, S = 3/(3 + 2) = .60 and F = 2/(2 + 1) = .67. The total
    with w = .5 is .5·.60 + .5·(1 − .67) = .47.
    """
    g = _checked(gains, "gains")
    if n < 1:
        raise InputError("depth-below-one", "n is {n}; give 1 or more", n=n)
    if not np.isfinite(threshold):
        raise InputError(
            "threshold-not-finite",
            "the threshold {threshold} is not finite; give a finite number",
            threshold=str(threshold),
        )
    if not 0 <= weight <= 1:
        raise InputError(
            "weight-out-of-bounds",
            "the weight {weight} is out of bounds; give a number from 0 to 1",
            weight=str(weight),
        )
    satisfying = np.where(g >= threshold, g, 0.0)
    frustrating = np.where(g < threshold, threshold - g, 0.0)
    return SatisfactionFrustration(_share(satisfying, n), _share(frustrating, n), weight)


def _share(values: FloatArray, n: int) -> float | None:
    """Return the sum of the first n values, divided by the sum of the n largest values."""
    if not values.any():
        return None
    values = values / values.max()  # keeps the sums finite
    return float(values[:n].sum() / np.sort(values)[::-1][:n].sum())


def _checked(values: Values, name: str) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1:
        raise InputError(
            "not-a-list",
            "{argument} has the shape {shape}; give a one-dimensional list of numbers",
            argument=name,
            shape=str(numbers.shape),
        )
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise InputError(
            "negative-or-infinite-value",
            "{argument} contains a value that is negative or not finite; give finite numbers that are"
            " at least 0",
            argument=name,
        )
    return numbers

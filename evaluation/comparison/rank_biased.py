"""Rank-biased overlap, which gives the most weight to the top of two rankings [Webber et al., TOIS 2010]."""

from typing import Literal

import numpy as np

from ..arrays import FloatArray
from ..errors import InputError, shown
from ..options import checked
from ..rank_weights import weights_from
from .correlation import levels_of
from .results import Values

Form = Literal["extrapolated", "minimum"]
Ties = Literal["averaged", "together"]


@checked
def rbo(
    x: Values, y: Values, p: float = 0.9, form: Form = "extrapolated", ties: Ties = "averaged"
) -> float | None:
    """Return RBO = (1 − p) · Σ_{d ≤ n} p^(d−1) · A(d) + the contribution of all deeper ranks.

    A(d) is the agreement of the two rankings at depth d: the share of their first d systems that they have in
    common. `p`, between 0 and 1, is the probability of going on to the next rank. If p is .9, the first 10
    ranks have 86 % of the weight. Both rankings contain the same n systems, so A(n) = 1. The forms make
    different assumptions about the systems that longer rankings would have after rank n:

    - `"extrapolated"`: RBO_EXT. The agreement stays 1, which adds p^n.
    - `"minimum"`: RBO_MIN. The rankings have no further systems in common, so A(d) = n/d.

    The system with the highest value comes first. With `ties="averaged"`, the result is the mean over all
    orders of tied systems, as in τ_AP [Corsi & Urbano, SIGIR 2024]. The ties of each ranking are ordered
    independently. With `"together"`, tied systems share the first rank of their tie, as in [Webber et al.,
    TOIS 2010]. So a ranking can have more than d systems down to depth d. If the rankings have a and b
    systems down to depth d, and c of these in common, A(d) is 2c/(a + b).

    Return None if there are fewer than two systems, or if all systems are tied in one of the rankings. Raise
    `InputError` for lists of different lengths, for values that are not finite, and for an invalid parameter.

    Example: for ABC and BAC with p = .5, A is 0, 1, 1, so RBO_EXT is .5·(0 + .5 + .25) + .125 = .5, and
    RBO_MIN is .375 + 3·(ln 2 − .5 − .125 − .0417) = .454.
    """
    refuse_invalid(p)
    if (levels := levels_of(x, y)) is None:
        return None
    agreement = (_averaged if ties == "averaged" else _together)(*levels)
    number = len(agreement)
    weights = p ** np.arange(number) * (1 - p)
    deeper = p**number if form == "extrapolated" else number * float(weights_from(p, number)[-1])
    return float((weights * agreement).sum() + deeper)


def _averaged(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the share of common systems at each depth, averaged over all orders of tied systems."""
    depth = np.arange(1.0, len(x) + 1)
    common = (_reached(x, depth) * _reached(y, depth)).sum(axis=1)
    shares: FloatArray = common / depth
    return shares


def _reached(levels: FloatArray, depth: FloatArray) -> FloatArray:
    """Return the probability that each system is among the first d, for each depth d (depths, systems)."""
    above = (levels > levels[:, None]).sum(axis=1)
    tied = (levels == levels[:, None]).sum(axis=1)
    probability: FloatArray = np.clip((depth[:, None] - above) / tied, 0, 1)
    return probability


def _together(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the agreement at each depth if tied systems share the first rank of their tie."""
    depth = np.arange(1, len(x) + 1)[:, None]
    first, second = ((levels > levels[:, None]).sum(axis=1) < depth for levels in (x, y))
    agreement: FloatArray = 2 * (first & second).sum(axis=1) / (first.sum(axis=1) + second.sum(axis=1))
    return agreement


@checked
def refuse_invalid(p: object = 0.9, form: Form = "extrapolated", ties: Ties = "averaged") -> None:
    """Raise `InputError` for the first parameter of `rbo` that is invalid."""
    if not (isinstance(p, int | float) and 0 < p < 1):
        raise InputError(
            "rbo-p-out-of-bounds",
            "p={p} of rbo is out of bounds; give a number between 0 and 1",
            p=shown(p),
        )

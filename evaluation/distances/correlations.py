"""Rank correlation between a user's ranking and a system's, over the documents that both rank [ZY10].

`comparison.correlation` computes the statistics; this module selects the documents. A document that only one
side ranks is left out, because its rank on the other side is unknown. If such documents were instead put on
one level below all others, the result would depend mainly on how many documents each side ranks. The result
is None if the two rankings share fewer than two documents, or if one of them ties all shared documents.
"""

import numpy as np

from .. import comparison
from ..arrays import FloatArray
from .pairs import count_pairs
from .preferences import WeakOrder, aligned


def rho(user: WeakOrder, system: WeakOrder) -> float | None:
    """Return Spearman's ρ: Pearson's correlation of the mid-ranks.

    Example: the ranks 1 5 4 2 3 and 2 1 3 4 5 have squared differences that add up to 26, so ρ =
    1 − 6·26/(5·24) = −.3.
    """
    return comparison.rho(*_shared(user, system))


def tau_a(user: WeakOrder, system: WeakOrder) -> float | None:
    """Return Kendall's τ_a: concordant minus discordant pairs, divided by all pairs.

    Example: d1 d3 d2 d4 and d1 d3 d4 d2 agree on 5 of 6 pairs, so τ_a = (5 − 1)/6 = .67.
    """
    # comparison.tau_a lists all pairs, which would be slow for long lists of documents.
    _, levels, others = aligned(user, system, "drop")
    counts = count_pairs(levels, others)
    if counts.first == 0 or counts.second == 0:
        return None
    return (counts.agreeing - counts.contradicting) / counts.all


def tau_b(user: WeakOrder, system: WeakOrder) -> float | None:
    """Return Kendall's τ_b: concordant minus discordant pairs, over √(pairs untied in x · pairs untied in y).

    x and y are the user's and the system's levels.
    """
    return comparison.tau_b(*_shared(user, system))


def tau_c(user: WeakOrder, system: WeakOrder) -> float | None:
    """Return Stuart's τ_c: 2(C − D) / (n²(m − 1)/m).

    C and D are the numbers of concordant and discordant pairs of the n documents. m is the number of levels
    in the ranking that has fewer levels.

    Example: the levels 1 1 2 2 3 and 1 2 1 2 2 have 3 concordant pairs and 1 discordant pair, and m = 2, so
    τ_c = 2·2/12.5 = .32.
    """
    return comparison.tau_c(*_shared(user, system))


def _shared(user: WeakOrder, system: WeakOrder) -> tuple[FloatArray, FloatArray]:
    # The functions of `comparison` tie nearly equal numbers, but different levels differ by 1 or more.
    _, levels, others = aligned(user, system, "drop")
    return levels.astype(np.float64), others.astype(np.float64)

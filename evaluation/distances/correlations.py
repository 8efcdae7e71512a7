"""Rank correlation of a user ranking and a system ranking, over the documents that both rank [ZY10].

The statistics are those of `compare.correlation`; what is added is which documents enter. A document that
the one or the other does not rank is left out: its rank is not known, and giving all of these one last level
would let the length of a list decide. None where the two share fewer than two documents, and where the one or
the other ties all that they share.
"""

import numpy as np

from evaluation import compare
from evaluation.arrays import FloatArray
from evaluation.distances.pairs import count_pairs
from evaluation.distances.preferences import WeakOrder, aligned


def rho(user: WeakOrder, system: WeakOrder) -> float | None:
    """Spearman's ρ: Pearson's correlation of the mid-ranks.

    Example: ranks 1 5 4 2 3 and 2 1 3 4 5: the squared differences add up to 26, 1 − 6·26/(5·24) = −.3.
    """
    return compare.rho(*_shared(user, system))


def tau_a(user: WeakOrder, system: WeakOrder) -> float | None:
    """Kendall's τ_a: concordant less discordant pairs, by all pairs.

    Example: d1 d3 d2 d4 and d1 d3 d4 d2 agree on 5 of 6 pairs: (5 − 1)/6 = .67.
    """
    # Counted without looking at every pair, as lists of documents are longer than lists of systems.
    _, levels, others = aligned(user, system, "drop")
    counts = count_pairs(levels, others)
    if counts.first == 0 or counts.second == 0:
        return None
    return (counts.agreeing - counts.contradicting) / counts.all


def tau_b(user: WeakOrder, system: WeakOrder) -> float | None:
    """Kendall's τ_b: the same difference, by √(pairs untied in the one · in the other)."""
    return compare.tau_b(*_shared(user, system))


def tau_c(user: WeakOrder, system: WeakOrder) -> float | None:
    """Stuart's τ_c: twice the same difference, by n²(m − 1)/m, m the smaller number of levels.

    Example: levels 1 1 2 2 3 and 1 2 1 2 2: 3 pairs are concordant, 1 is discordant, m = 2: 2·2/12.5 = .32.
    """
    return compare.tau_c(*_shared(user, system))


def _shared(user: WeakOrder, system: WeakOrder) -> tuple[FloatArray, FloatArray]:
    # Levels are whole numbers, so that scores are never tied for being nearly equal, as means are.
    _, levels, others = aligned(user, system, "drop")
    return levels.astype(np.float64), others.astype(np.float64)

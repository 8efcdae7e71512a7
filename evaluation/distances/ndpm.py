"""NDPM, the normalised distance-based performance measure, and related distances [ZY10; Yao 1995].

Two rankings are compared pair by pair. In C pairs, the user prefers one document to the other (d ≻u d′). Of
these, the system reverses C⁻ pairs and ties Cᵘ pairs. Of the pairs that the user ties, the system orders Cˢ
pairs.

Every function takes the user's and the system's ranking as weak orders. Documents that are not in the user's
ranking are left out. As in `preferences.aligned`, `missing` says what happens to documents that the system
did not rank: `"last"` puts them on one level below all others, and `"drop"` leaves them out.

Example: the user ranks {d1, d2} ≻ {d3} ≻ {d4, d5} ≻ {d6}, and the system {d1, d3} ≻ {d2, d5} ≻ {d6} ≻ {d4}.
Of the 15 pairs, the user ties d1 d2 and d4 d5, so C = 13. The system reverses d2 d3 and d4 d6 (C⁻ = 2), ties
d1 d3 and d2 d5 (Cᵘ = 2), and orders d1 d2 and d4 d5 (Cˢ = 2). The distance between the two rankings is
β = 2·C⁻ + Cᵘ + Cˢ = 8. The distance to the nearest acceptable ranking is dpm = 2·C⁻ + Cᵘ = 6, and NDPM is
dpm/(2·C) = 6/26 = .23.
"""

from ..options import checked
from .pairs import PairCounts, count_pairs
from .preferences import Missing, WeakOrder, aligned


@checked
def ndpm(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> float | None:
    """Return NDPM, (2·C⁻ + Cᵘ) / (2·C).

    C is the number of pairs in which the user prefers one document. The system reverses C⁻ of these pairs and
    ties Cᵘ of them. NDPM is 0 if the system keeps all the user's preferences, 1 if it reverses them all, and
    .5 if it ties all documents. Return None if the user ties all documents (C = 0).
    """
    counts = _counts(user, system, missing)
    return _dpm(counts) / (2 * counts.first) if counts.first else None


@checked
def dpm(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> int:
    """Return 2·C⁻ + Cᵘ, the distance β from the system's ranking to the nearest acceptable ranking.

    The system reverses C⁻ of the user's preferences and ties Cᵘ of them. A ranking is acceptable if it keeps
    all the user's preferences.
    """
    return _dpm(_counts(user, system, missing))


@checked
def beta(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> int:
    """Return β = 2·C⁻ + Cᵘ + Cˢ, the distance between two rankings.

    The two rankings order C⁻ pairs of documents in opposite ways. Each of these pairs counts as 2. Cᵘ pairs
    have an order only in the user's ranking, and Cˢ pairs only in the system's ranking. Each of these pairs
    counts as 1. For rankings of the same documents, β is a metric.
    """
    counts = _counts(user, system, missing)
    return _dpm(counts) + counts.second_alone


def _counts(user: WeakOrder, system: WeakOrder, missing: Missing) -> PairCounts:
    _, levels, others = aligned(user, system, missing)
    return count_pairs(levels, others)


def _dpm(counts: PairCounts) -> int:
    return 2 * counts.contradicting + counts.first_alone

"""NDPM, the normalised distance-based performance measure, and the distances behind it [ZY10; Yao 1995].

Two rankings are compared pair by pair. Of the pairs of documents, C are those with d ≻u d′, which the user
tells apart; of these the system puts C⁻ the other way round and ties Cᵘ. Of the others, about which the user
is indifferent, it tells Cˢ apart.

Every function takes the user's and the system's ranking as weak orders, and `missing` as in
`preferences.aligned`: documents unknown to the user are dropped, and those that the system did not rank share
one last level ("last") or are left out too ("drop").

Example: user {d1, d2} ≻ {d3} ≻ {d4, d5} ≻ {d6}, system {d1, d3} ≻ {d2, d5} ≻ {d6} ≻ {d4}. Of 15 pairs the
user ties d1 d2 and d4 d5, C = 13. The system reverses d2 d3 and d4 d6, C⁻ = 2; it ties d1 d3 and d2 d5,
Cᵘ = 2; it tells apart d1 d2 and d4 d5, Cˢ = 2. β = 2·2 + 2 + 2 = 8, dpm = 2·2 + 2 = 6, NDPM = 6/26 = .23.
"""

from evaluation.distances.pairs import PairCounts, count_pairs
from evaluation.distances.preferences import Missing, WeakOrder, aligned


def ndpm(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> float | None:
    """(2·C⁻ + Cᵘ) / (2·C): 0 where the system holds all the user's preferences, 1 where it reverses them.

    A system that ties everything has .5. None where the user is indifferent to everything, C = 0.
    """
    counts = _counts(user, system, missing)
    return _dpm(counts) / (2 * counts.first) if counts.first else None


def dpm(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> int:
    """2·C⁻ + Cᵘ, the distance β from the system's ranking to the nearest that is acceptable to the user."""
    return _dpm(_counts(user, system, missing))


def beta(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> int:
    """β = 2·C⁻ + Cᵘ + Cˢ, the distance between two rankings; of the same documents it is a metric.

    1 for each pair that one alone tells apart, 2 for each that they put the other way round.
    """
    counts = _counts(user, system, missing)
    return _dpm(counts) + counts.second_alone


def _counts(user: WeakOrder, system: WeakOrder, missing: Missing) -> PairCounts:
    _, levels, others = aligned(user, system, missing)
    return count_pairs(levels, others)


def _dpm(counts: PairCounts) -> int:
    return 2 * counts.contradicting + counts.first_alone

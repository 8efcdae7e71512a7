"""Combine the preferences of several users into one score for each document.

[ZY10] compares a system with one user. If there are several users, their rankings are combined first. Borda
(1781) gives a document a point for each document below it, in every ranking. Copeland (1951) lets the users
vote on each pair of documents, as Condorcet did, and counts the votes that a document wins.

In both, users can rank different documents, as workers do who judge different units. Points are therefore
shares, so that a long ranking does not give more points than a short one.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Literal, get_args

import numpy as np

from ..options import checked
from .preferences import WeakOrder

Aggregation = Literal["borda", "copeland"]
AGGREGATIONS: Final = get_args(Aggregation)
"""The methods of `combine_orders`."""


@checked
def combine_orders(orders: Iterable[WeakOrder], method: Aggregation = "borda") -> dict[str, float]:
    """Return the score of each document by `borda` or `copeland`, the highest score for the best document."""
    return borda(orders) if method == "borda" else copeland(orders)


def borda(orders: Iterable[WeakOrder]) -> dict[str, float]:
    """Return the Borda score of each document, from 0 to 1.

    In the ranking of a user with n documents, a document gets (n − r)/(n − 1) points, where r is its rank
    from the top. This is the share of the user's other documents that are below it. Documents on the same
    level share the mean of their ranks. The score is the mean over the users who rank the document. If all
    users rank the same documents, this is Borda's count, divided by the largest count possible. A ranking of
    a single document has no preference and is left out.

    Example: one user ranks a ≻ b ≻ c, and another user ranks b ≻ {a, c}. The points are 1, .5, 0 and .25, 1,
    .25, so the scores are a .625, b .75 and c .125.
    """
    # Fractions are exact, so that documents with equal points stay tied.
    points: dict[str, list[Fraction]] = {}
    for order in orders:
        others = len(order.utility) - 1
        below = 0
        for level in reversed(order.levels()):
            if others:
                of_level = Fraction(2 * below + len(level) - 1, 2 * others)
                for document in level:
                    points.setdefault(document, []).append(of_level)
            below += len(level)
    return {document: float(sum(points[document]) / len(points[document])) for document in sorted(points)}


def copeland(orders: Iterable[WeakOrder]) -> dict[str, float]:
    """Return the Copeland score of each document, from 0 to 1.

    For each pair of documents, every user who ranks both votes for the document on the higher level. The
    document with more votes wins the pair. If the votes are equal, the pair counts as half a win for both.
    The score is the share of its pairs that a document wins. Only pairs that at least one user ranks count,
    and a document that is in no such pair is left out. A majority prefers a document with the score 1 to
    every document that it is compared with. If it is compared with all, it is Condorcet's winner.

    The memory grows with the square of the number of documents.

    Example: one user ranks a ≻ b ≻ c, and two users rank b ≻ c ≻ a. b wins against a by two votes to one and
    against c by three to none; c wins against a. So the scores are b 1, c .5 and a 0.
    """
    listed = list(orders)
    documents = sorted({document for order in listed for document in order.utility})
    places = {document: place for place, document in enumerate(documents)}
    lead = np.zeros((len(documents), len(documents)))
    together = np.eye(len(documents), dtype=np.bool_)
    for order in listed:
        ranked = np.array([places[document] for document in order.utility], dtype=np.int64)
        levels = np.array(list(order.utility.values()))
        pairs = np.ix_(ranked, ranked)
        lead[pairs] += np.sign(levels[:, None] - levels[None, :])
        together[pairs] = True
    np.fill_diagonal(together, val=False)
    compared = together.sum(axis=1)
    wins = np.where(together, (np.sign(lead) + 1) / 2, 0).sum(axis=1)
    return {
        document: float(wins[place] / compared[place])
        for place, document in enumerate(documents)
        if compared[place]
    }

"""Preferences among documents, as weak orders [ZY10].

Users do not have to say how relevant a document is. It is enough to know which of two documents d and d′ a
user prefers: d ≻ d′ means that the user prefers d. The relation ≻ is a weak order if d ≻ d′ excludes d′ ≻ d,
and if preference and indifference (neither d ≻ d′ nor d′ ≻ d) are both transitive. The documents of a weak
order form levels, one above the other. There is a utility function u such that d ≻ d′ if and only if
u(d) > u(d′). Only the order of the utilities matters: two sets of scores on different scales express the same
preferences if they put the documents in the same order.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..arrays import IntArray
from ..errors import InputError, shown
from ..options import checked

Missing = Literal["last", "drop"]


@dataclass(frozen=True)
class WeakOrder:
    """A preference relation, stored as a utility function: the number of levels below each document.

    Two relations are equal if they consist of the same preferences.
    """

    utility: Mapping[str, int]

    @classmethod
    def from_scores(cls, scores: Mapping[str, float]) -> "WeakOrder":
        """Return the weak order of the scores; documents with equal scores share a level.

        Raise `InputError` for a score that is not finite.
        """
        for document, score in scores.items():
            if not math.isfinite(score):
                raise InputError(
                    "score-not-finite",
                    "score {score} of document {document} is not finite; give a finite number",
                    score=str(score),
                    document=shown(document),
                )
        return cls(_dense(scores))

    @classmethod
    def from_levels(cls, levels: Iterable[Collection[str]]) -> "WeakOrder":
        """Return the weak order of these levels; the best level comes first.

        Raise `InputError` for an empty level, and for a document on two levels.

        Example: [["d1", "d2"], ["d3"]] gives d1 ≻ d3 and d2 ≻ d3, with the utilities 1, 1, 0.
        """
        place: dict[str, int] = {}
        for number, level in enumerate(levels, start=1):
            if not level:
                raise InputError("empty-level", "level {level} is empty; remove this level", level=number)
            for document in level:
                if place.setdefault(document, -number) != -number:
                    raise InputError(
                        "document-on-two-levels",
                        "document {document} is on level {first} and on level {second}; remove it from one "
                        "of them",
                        document=shown(document),
                        first=-place[document],
                        second=number,
                    )
        return cls(_dense(place))

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], documents: Iterable[str] = ()) -> "WeakOrder":
        """Return the weak order that consists of these pairs (preferred document, other document).

        The pairs can come in any order. `documents` can add documents that are in no pair. Raise
        `InputError`, naming the documents, if the relation is not a weak order.

        Example: {(a, b), (a, c)} gives a ≻ {b, c}. {(a, b)} with a third document c is not a weak order: c
        would be tied with both a and b, although a ≻ b.
        """
        below: dict[str, set[str]] = {document: set() for document in documents}
        for better, worse in pairs:
            below.setdefault(better, set()).add(worse)
            below.setdefault(worse, set())
        # In every weak order, the number of documents below a document is a utility function. So the relation
        # is a weak order if and only if these numbers produce the same pairs.
        order = cls(_dense({document: len(others) for document, others in below.items()}))
        is_consistent = all(len(below[a]) > len(below[b]) for a, others in below.items() for b in others)
        if not is_consistent or sum(map(len, below.values())) != order.size():
            raise _fault(below)
        return order

    def levels(self) -> tuple[frozenset[str], ...]:
        """Return the documents of each level, the best level first."""
        by_level: dict[int, set[str]] = {}
        for document, level in self.utility.items():
            by_level.setdefault(level, set()).add(document)
        return tuple(frozenset(by_level[level]) for level in sorted(by_level, reverse=True))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield every pair (preferred document, other document), starting with the best documents."""
        for better in sorted(self.utility, key=lambda document: -self.utility[document]):
            for worse, level in self.utility.items():
                if level < self.utility[better]:
                    yield better, worse

    def size(self) -> int:
        """Return the number of pairs in the relation."""
        sizes = [len(level) for level in self.levels()]
        return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2


@checked
def aligned(
    user: WeakOrder, system: WeakOrder, missing: Missing = "last"
) -> tuple[list[str], IntArray, IntArray]:
    """Return the documents to compare, with their levels in the user's and in the system's order.

    Documents that are not in the user's order are left out. `missing` says what happens to documents that the
    system did not rank: `"last"` puts them on one level below all others, and `"drop"` leaves them out. Raise
    `InputError` if `missing` has any other value.
    """
    documents = [d for d in user.utility if missing == "last" or d in system.utility]
    levels = np.array([user.utility[d] for d in documents], dtype=np.int64)
    # All levels are raised by one, so that documents without a rank can have level 0.
    others = np.array([system.utility.get(d, -1) + 1 for d in documents], dtype=np.int64)
    return documents, levels, others


@checked
def nearest_acceptable(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> WeakOrder:
    """Return the ranking that keeps all the user's preferences and is nearest to the system's ranking [ZY10].

    This ranking is ≻u ∪ (∼u ∩ ≻s): it follows the user's preferences and, where the user is indifferent, the
    system's. Its distance β to the system's ranking is `dpm`. It contains the documents that `aligned`
    returns.

    Example: the user ranks {d1, d2} ≻ {d3} and the system d3 ≻ d2 ≻ d1. The result is d2 ≻ d1 ≻ d3.
    """
    documents, levels, others = aligned(user, system, missing)
    return WeakOrder(_dense(dict(zip(documents, zip(levels, others, strict=True), strict=True))))


def _dense(keys: Mapping[str, Any]) -> dict[str, int]:
    """Return each document's level: 0, 1, … in ascending order of the keys."""
    level = {key: place for place, key in enumerate(sorted(set(keys.values())))}
    return {document: level[key] for document, key in keys.items()}


def _fault(below: Mapping[str, set[str]]) -> InputError:
    """Return the error that says why a relation is not a weak order.

    The error does not depend on the order in which the pairs were given.
    """
    documents = sorted(below)
    for a in documents:
        for b in sorted(below[a]):
            if a == b:
                return InputError(
                    "document-preferred-to-itself",
                    "document {document} is preferred to itself; remove the pair",
                    document=shown(a),
                )
            if a in below[b]:
                return InputError(
                    "mutual-preference",
                    "document {first} is preferred to {second}, and {second} to {first}; remove one of the "
                    "two pairs",
                    first=shown(a),
                    second=shown(b),
                )
            if not_below_a := below[b] - below[a]:
                return InputError(
                    "preferences-not-transitive",
                    "document {first} is preferred to {second}, and {second} to {third}, but {first} is not "
                    "preferred to {third}; add the pair of {first} and {third}",
                    first=shown(a),
                    second=shown(b),
                    third=shown(min(not_below_a)),
                )
    # Here preference is transitive, so some document is tied with two others that are not tied with each
    # other.
    for a in documents:
        for b in documents:
            if len(below[a]) > len(below[b]) and b not in below[a]:
                c = min(below[a] - below[b])
                return InputError(
                    "indifference-not-transitive",
                    "document {better} is preferred to {worse}, but document {level} is tied with "
                    "both; add a pair that puts {level} above {worse} or below {better}",
                    better=shown(a),
                    worse=shown(c),
                    level=shown(b),
                )
    raise AssertionError("the relation is a weak order")

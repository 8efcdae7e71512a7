"""Preferences among documents, as weak orders [ZY10].

A user need not say how relevant a document is: that d is preferred to d′, d ≻ d′, is enough. Such a
preference relation is a weak order where d ≻ d′ excludes d′ ≻ d and where both preference and indifference
(neither d ≻ d′ nor d′ ≻ d) are transitive. Then documents fall into levels, one above the other, and there
are numbers u, a utility function, with d ≻ d′ exactly where u(d) > u(d′). Only their order means anything:
scores of any scale that put the documents in one order are one and the same preference.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from evaluation.arrays import IntArray
from evaluation.errors import InputError, shown

Missing = Literal["last", "drop"]
MISSING: tuple[Missing, ...] = get_args(Missing)


@dataclass(frozen=True)
class WeakOrder:
    """A preference relation, held as its utility function: of each document, how many levels lie below it.

    Two of them are equal where they prefer the same documents to the same documents.
    """

    utility: Mapping[str, int]

    @classmethod
    def from_scores(cls, scores: Mapping[str, float]) -> "WeakOrder":
        """Documents of equal score share a level. Raises `InputError` for a score that is not finite."""
        for document, score in scores.items():
            if not math.isfinite(score):
                raise InputError(
                    "score-not-finite",
                    "score {score} of document {document} is not finite; give a number",
                    score=str(score),
                    document=shown(document),
                )
        return cls(_dense(scores))

    @classmethod
    def from_levels(cls, levels: Iterable[Collection[str]]) -> "WeakOrder":
        """Levels, the best first. Raises `InputError` for an empty level and a document on two levels.

        Example: [["d1", "d2"], ["d3"]] is d1 ≻ d3, d2 ≻ d3, with utilities 1, 1, 0.
        """
        place: dict[str, int] = {}
        for number, level in enumerate(levels, start=1):
            if not level:
                raise InputError("empty-level", "level {level} is empty; leave it out", level=number)
            for document in level:
                if place.setdefault(document, -number) != -number:
                    raise InputError(
                        "document-on-two-levels",
                        "document {document} is on the levels {first} and {second}; leave it on one",
                        document=shown(document),
                        first=-place[document],
                        second=number,
                    )
        return cls(_dense(place))

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], documents: Iterable[str] = ()) -> "WeakOrder":
        """A relation given as pairs (preferred document, the other one), in any order, all of them.

        `documents` names those that stand in no pair: nothing is preferred to them, nor they to anything.
        Raises `InputError`, naming the documents, where the relation is no weak order.

        Example: {(a, b), (a, c)} is a ≻ {b, c}. {(a, b)} alone with a document c is none: c would be on the
        level of a and on that of b.
        """
        below: dict[str, set[str]] = {document: set() for document in documents}
        for better, worse in pairs:
            below.setdefault(better, set()).add(worse)
            below.setdefault(worse, set())
        # The number of documents below a document is a utility function of every weak order; so the relation
        # is one exactly where it is the relation of these numbers.
        order = cls(_dense({document: len(others) for document, others in below.items()}))
        upward = all(len(below[a]) > len(below[b]) for a, others in below.items() for b in others)
        if not upward or sum(map(len, below.values())) != order.size():
            raise _fault(below)
        return order

    def levels(self) -> tuple[frozenset[str], ...]:
        """The documents of each level, the best level first."""
        found: dict[int, set[str]] = {}
        for document, level in self.utility.items():
            found.setdefault(level, set()).add(document)
        return tuple(frozenset(found[level]) for level in sorted(found, reverse=True))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every pair (preferred document, the other one), those of the best documents first."""
        for better in sorted(self.utility, key=lambda document: -self.utility[document]):
            for worse, level in self.utility.items():
                if level < self.utility[better]:
                    yield better, worse

    def size(self) -> int:
        """How many pairs the relation holds."""
        sizes = [len(level) for level in self.levels()]
        return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2


def aligned(
    user: WeakOrder, system: WeakOrder, missing: Missing = "last"
) -> tuple[list[str], IntArray, IntArray]:
    """The documents that the two are compared on, and their levels to the user and to the system.

    Documents unknown to the user are dropped. Those that the system did not rank share one last level, below
    all others; with `missing="drop"` they are left out too. Raises `InputError` for another `missing`.
    """
    if missing not in MISSING:
        raise InputError(
            "unknown-missing",
            "missing={missing} is unknown; choose from {known}",
            missing=shown(missing),
            known=", ".join(MISSING),
        )
    documents = [d for d in user.utility if missing == "last" or d in system.utility]
    levels = np.array([user.utility[d] for d in documents], dtype=np.int64)
    # All levels go up by one, so that what was not ranked has level 0.
    others = np.array([system.utility.get(d, -1) + 1 for d in documents], dtype=np.int64)
    return documents, levels, others


def nearest_acceptable(user: WeakOrder, system: WeakOrder, missing: Missing = "last") -> WeakOrder:
    """Of the rankings that hold all preferences of the user, the one nearest to the system's [ZY10].

    ≻u ∪ (∼u ∩ ≻s): it follows the user and, where the user is indifferent, the system. Its distance β to the
    system's ranking is `dpm`, and no ranking that holds every d ≻u d′ is nearer. Documents as in `aligned`.

    Example: user {d1, d2} ≻ {d3}, system d3 ≻ d2 ≻ d1: d2 ≻ d1 ≻ d3.
    """
    documents, levels, others = aligned(user, system, missing)
    return WeakOrder(_dense(dict(zip(documents, zip(levels, others, strict=True), strict=True))))


def _dense(keys: Mapping[str, Any]) -> dict[str, int]:
    """Levels 0, 1, … of the documents, ascending by their keys."""
    level = {key: place for place, key in enumerate(sorted(set(keys.values())))}
    return {document: level[key] for document, key in keys.items()}


def _fault(below: Mapping[str, set[str]]) -> InputError:
    """Return why a relation is not a weak order; the same error whatever the order of the pairs."""
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
                    "document {first} is preferred to {second} and {second} to {first}; remove one of the "
                    "two pairs",
                    first=shown(a),
                    second=shown(b),
                )
            if away := below[b] - below[a]:
                return InputError(
                    "preferences-not-transitive",
                    "document {first} is preferred to {second} and {second} to {third}, but {first} not to "
                    "{third}; add that pair, too",
                    first=shown(a),
                    second=shown(b),
                    third=shown(min(away)),
                )
    # From here on preference is transitive. What is left is a document that is level with two others
    # that are not level with each other.
    for a in documents:
        for b in documents:
            if len(below[a]) > len(below[b]) and b not in below[a]:
                c = min(below[a] - below[b])
                return InputError(
                    "indifference-not-transitive",
                    "document {better} is preferred to {worse}, but {level} is level with both; put {level} "
                    "above {worse} or below {better}",
                    better=shown(a),
                    worse=shown(c),
                    level=shown(b),
                )
    raise AssertionError("the relation is a weak order")

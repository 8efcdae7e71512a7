"""Flag workers based only on their own completed units, not on comparisons with other workers.

If each worker judges only one unit, there is too little data to compare workers. Four signs need no
comparison. A worker is flagged if all completed units of the worker show the same sign:

- "reason": every document has the same justification, ignoring case and spaces. Documents differ, so honest
  justifications differ too.
- "number": all documents except the anchors have the same number, although some of their known grades are
  at least two levels apart, such as N and R. If the grades do not differ like this, the documents may really
  be equally relevant.
- "order": the unit has at least `LEAST_PAIRS` pairs of documents whose known grades are at least two levels
  apart. Pairs with an anchor do not count. More than half of the pairs are in the wrong order. Random numbers
  put half of the pairs in the wrong order. People who read the documents but disagree with the grades make
  fewer such mistakes.
On a scale that compares two documents, "number" and "order" use the pairs that the worker saw together,
without those that contain an anchor, and the number is the worker's answer.

- "time": every document was open for less than `PATIENCE` times the minimum time of check (d). Reading times
  differ between texts, but workers who only wait for the minimum time spend the same time on each text. This
  sign is not used if the minimum time is below `LEAST_SECONDS`.

A flag is a reason to look at a worker. Plumbline never acts on it by itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from judging.protocol.grades import gain_of
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

LEAST_PAIRS: Final = 6
PATIENCE: Final = 1.15
LEAST_SECONDS: Final = 5.0
_APART: Final = 2

REASONS: Final = {
    "reason": Sentence(_("Gives the same reason for every document of a unit.")),
    "number": Sentence(
        _(
            "Gives all documents except the anchors the same number, although the known grades of these"
            " documents differ."
        )
    ),
    "order": Sentence(
        _("In most pairs of documents, gives the larger number to the document with the lower known grade.")
    ),
    "time": Sentence(_("Spends less than {times} × the minimum time on each document."), {"times": PATIENCE}),
}
"""Maps each sign to the reason for looking at the worker, in the order in which pages list the signs."""
_SAME_NUMBER: Final = Sentence(
    _("Gives all documents the same number, although the known grades of these documents differ.")
)


def reasons(*, with_anchors: bool) -> dict[str, Sentence]:
    """Return `REASONS`, in words that fit a study with or without anchors."""
    return REASONS if with_anchors else REASONS | {"number": _SAME_NUMBER}


@dataclass(frozen=True)
class Side:
    """The second document of a pair: whether it is an anchor, and its known grade, or ""."""

    anchor: bool
    grade: str


@dataclass(frozen=True)
class Judged:
    """One judgment in a completed unit. An unknown `grade` is "", and unknown `seconds` are 0.

    If the judgment compares two documents, `second` is the second one, and `number` the points of the first.
    """

    number: float
    justification: str
    seconds: float
    anchor: bool
    grade: str
    second: Side | None = None


def unit_signs(unit: Sequence[Judged], *, least_seconds: float) -> set[str]:
    """Return the signs that a completed unit shows."""
    others = [judged for judged in unit if not judged.anchor and not (judged.second and judged.second.anchor)]
    pairs = [
        (low, high)
        for pair in _graded_pairs(others)
        for (low_grade, low), (high_grade, high) in [sorted(pair)]
        if high_grade - low_grade >= _APART
    ]
    wrong = sum(low > high for low, high in pairs)
    justifications = {" ".join(judged.justification.casefold().split()) for judged in unit}
    longest = max((judged.seconds for judged in unit), default=0.0)
    shows = {
        "reason": len(unit) > 1 and len(justifications) == 1,
        "number": bool(pairs) and len({judged.number for judged in others}) == 1,
        "order": len(pairs) >= LEAST_PAIRS and 2 * wrong > len(pairs),
        "time": least_seconds >= LEAST_SECONDS and 0 < longest < PATIENCE * least_seconds,
    }
    return {sign for sign, is_shown in shows.items() if is_shown}


def _graded_pairs(judgments: Sequence[Judged]) -> Iterator[list[tuple[float, float]]]:
    """Yield all pairs of graded documents that a unit compares: the known gain and the number of each.

    These are the pairs that the worker saw together or, if the worker judged single documents, all pairs.
    """
    for judged in judgments:
        if judged.second and judged.grade and judged.second.grade:
            first = (gain_of(judged.grade), judged.number)
            yield [first, (gain_of(judged.second.grade), 1 - judged.number)]
    graded = [judged for judged in judgments if judged.grade and not judged.second]
    for pair in combinations(graded, 2):
        yield [(gain_of(judged.grade), judged.number) for judged in pair]


def unit_flags(units: Iterable[set[str]], *, with_anchors: bool = True) -> list[Sentence]:
    """Return the reasons to look at a worker. `units` holds the signs of each completed unit.

    `with_anchors` says whether the study has anchors.
    """
    signs_by_unit = list(units)
    return [
        reason
        for sign, reason in reasons(with_anchors=with_anchors).items()
        if signs_by_unit and all(sign in signs for signs in signs_by_unit)
    ]

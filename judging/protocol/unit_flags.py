"""When to look at a worker by completed units alone, one or more, without a comparison with other workers.

Where each worker judges one unit there is too little of anybody to compare. Four signs speak for themselves.
A worker is flagged by a sign that every completed unit of theirs shows:

- "reason": every document has the same justification, whatever its case and blanks. Documents differ, so an
  honest reason for each does too.
- "number": all documents but the anchors have the same number, although known grades of theirs lie two levels
  or more apart, such as N and R. Without such grades a topic may simply have nothing relevant to show.
- "order": of the pairs of such documents, anchors aside, more than half are the wrong way round, and there
  are at least `LEAST_PAIRS`. Random numbers come out wrong half of the time, people with a view of their own
  less often.
- "time": every document was open for less than `PATIENCE` times the least that check (d) asks for. Texts
  differ in length: reading them takes different times, waiting for the check takes the same. Not told where
  the least is below `LEAST_SECONDS`.

A flag is a reason to look, and nothing follows from it by itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from judging.protocol.states import Grade

LEAST_PAIRS: Final = 6
PATIENCE: Final = 1.15
LEAST_SECONDS: Final = 5.0
_LEVELS: Final = {grade: level for level, grade in enumerate(Grade)}
_APART: Final = 2

REASONS: Final = {
    "reason": "Gives every document of a unit the same reason.",
    "number": "Gives every document but the anchors the same number, although their known grades differ.",
    "order": "Puts most documents in the reverse order of their known grades.",
    "time": f"Leaves every document within {PATIENCE:.2f} times the least time that the check asks for.",
}
"""Sign → why to look, in the order in which they are told."""


@dataclass(frozen=True)
class Judged:
    """One judgment of a completed unit; `grade` is "" where none is known, `seconds` 0 where unknown."""

    magnitude: float
    justification: str
    seconds: float
    anchor: bool
    grade: str


def unit_signs(unit: Sequence[Judged], *, least_seconds: float) -> set[str]:
    """Return the signs that a completed unit shows."""
    others = [one for one in unit if not one.anchor]
    pairs = [
        (low, high)
        for one, other in combinations([one for one in others if one.grade], 2)
        for low, high in [sorted((one, other), key=lambda judged: _LEVELS[Grade(judged.grade)])]
        if _LEVELS[Grade(high.grade)] - _LEVELS[Grade(low.grade)] >= _APART
    ]
    wrong = sum(low.magnitude > high.magnitude for low, high in pairs)
    reasons = {" ".join(one.justification.casefold().split()) for one in unit}
    longest = max((one.seconds for one in unit), default=0.0)
    found = {
        "reason": len(unit) > 1 and len(reasons) == 1,
        "number": bool(pairs) and len({one.magnitude for one in others}) == 1,
        "order": len(pairs) >= LEAST_PAIRS and 2 * wrong > len(pairs),
        "time": least_seconds >= LEAST_SECONDS and 0 < longest < PATIENCE * least_seconds,
    }
    return {sign for sign, shown in found.items() if shown}


def unit_flags(units: Iterable[set[str]]) -> list[str]:
    """Return why to look at a worker whose completed units show these signs."""
    shown = list(units)
    return [why for sign, why in REASONS.items() if shown and all(sign in signs for signs in shown)]

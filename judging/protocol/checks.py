"""The checks at the end of a unit: observations in, one verdict out ([T15] 3.4, checks (c) and (d)).

Both checks always run, and the verdict that a worker may see is the same whichever failed: `Verdict.passed`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Literal

from judging.protocol.timing import short_documents

AnchorOrder = Literal["ordered", "tied", "inverted"]


@dataclass(frozen=True)
class Observation:
    """What the checks see of one document: its anchor ("H", "N" or ""), magnitude and seconds."""

    anchor: str
    magnitude: float
    seconds: float


@dataclass(frozen=True)
class Limits:
    """The study's settings for the checks: seconds per document, and whether tied anchors pass."""

    seconds_per_document: float
    anchor_ties_pass: bool


@dataclass(frozen=True)
class Verdict:
    """The outcome of both checks: how the anchors were ordered, and how many documents fell short."""

    anchors: AnchorOrder
    anchors_passed: bool
    short: int

    @property
    def time_passed(self) -> bool:
        return self.short == 0

    @property
    def passed(self) -> bool:
        return self.anchors_passed and self.time_passed


def anchor_order(high: float, low: float) -> AnchorOrder:
    """How the magnitudes of the H anchor (`high`) and of the N anchor (`low`) stand to each other."""
    if high > low:
        return "ordered"
    return "tied" if high == low else "inverted"


def verdict(observations: Sequence[Observation], limits: Limits) -> Verdict:
    """Run checks (c) and (d) on the documents of one unit.

    Raises ValueError unless exactly one H and one N anchor are among the observations.
    """
    (high,) = (seen.magnitude for seen in observations if seen.anchor == "H")
    (low,) = (seen.magnitude for seen in observations if seen.anchor == "N")
    order = anchor_order(high, low)
    return Verdict(
        anchors=order,
        anchors_passed=order == "ordered" or (order == "tied" and limits.anchor_ties_pass),
        short=short_documents((seen.seconds for seen in observations), least=limits.seconds_per_document),
    )


def tau_between_tries(earlier: Sequence[float], later: Sequence[float]) -> float | None:
    """Kendall's τ_b between the magnitudes of two tries at one unit, in [-1, 1].

    No value (None) where one of the tries gave all documents the same number. A negative value says that
    the worker turned the order round instead of mending it; it raises an event, never a rejection.
    """
    concordance = earlier_pairs = later_pairs = 0
    for (x1, y1), (x2, y2) in combinations(zip(earlier, later, strict=True), 2):
        x, y = (x1 > x2) - (x1 < x2), (y1 > y2) - (y1 < y2)
        concordance += x * y
        earlier_pairs += x * x
        later_pairs += y * y
    if not earlier_pairs or not later_pairs:
        return None
    return concordance / sqrt(earlier_pairs * later_pairs)


def attempts_left(most: int | None, *, failed: int) -> int | None:
    """Return how many more times a unit may be finished, None without a limit (`most` is None)."""
    return None if most is None else max(0, most - failed)

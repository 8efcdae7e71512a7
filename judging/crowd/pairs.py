"""How simulated workers compare two documents, or two practice lines.

A worker perceives each document once and keeps this perception on both pages that show it, until a failed
check makes the worker read again. The worker prefers the document that seems more relevant. If the two
perceptions differ by less than the factor `SAME`, they count as equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SAME: Final = 1.25
"""The factor below which two perceptions count as equal (chosen)."""
REMEMBERED: Final = 0.25
"""The time for a document that the worker has read before, as a share of the time for reading it (chosen)."""


@dataclass(frozen=True)
class Perceived:
    """How relevant a document seems to a worker, and how many seconds the worker takes to read it.

    `value` is the number that the worker would type on a scale of magnitudes.
    """

    value: float
    seconds: float


def points(first: float, second: float) -> float:
    """Return the points of the first of two things: 1 if it seems larger, 0 if the second does, 0.5 for a tie.

    >>> points(10, 5), points(5, 10), points(10, 9)
    (1.0, 0.0, 0.5)
    """
    if max(first, second) < SAME * min(first, second):
        return 0.5
    return 1.0 if first > second else 0.0


def seconds_of_page(perceived: Sequence[Perceived], is_new: Sequence[bool]) -> float:
    """Return how long a worker takes for a page. A document that the worker has read before takes less time."""
    return sum(seen.seconds * (1 if new else REMEMBERED) for seen, new in zip(perceived, is_new, strict=True))

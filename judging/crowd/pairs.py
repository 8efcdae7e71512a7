"""How simulated workers compare two documents.

A worker perceives each document once and keeps this perception on both pages that show it, until a failed
check makes the worker read again. `evaluation.crowds` says which of two perceived levels a worker prefers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.crowds import Perceived, answer_preference

REMEMBERED: Final = 0.25
"""The time for a document that the worker has read before, as a share of the time for reading it (chosen)."""


@dataclass(frozen=True)
class Seen:
    """How relevant a document seems to a worker, as a level, and the seconds that reading it takes."""

    level: float
    seconds: float


def perceived_level(perceived: Perceived, rng: np.random.Generator) -> FloatArray:
    """Return the levels themselves, for workers who do not turn them into numbers."""
    return perceived.level


def points(first: Seen, second: Seen) -> float:
    """Return the points of the first of two documents: 1 if it seems better, 0 if worse, 0.5 for a tie."""
    return float(answer_preference(first.level, second.level))


def seconds_of_page(seen: Sequence[Seen], is_new: Sequence[bool]) -> float:
    """Return how long a worker takes for a page. Documents that were read before take less time."""
    return sum(
        document.seconds * (1 if new else REMEMBERED) for document, new in zip(seen, is_new, strict=True)
    )

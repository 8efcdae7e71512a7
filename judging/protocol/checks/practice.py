"""Check (a), the practice task: three lines, one at a time, a number for each ([T15] 3.3)."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final

from judging.protocol.checks.base import Check, Finding

LINES: Final = 3
LONGEST: Final = 1000
"""Length of the longest line that can be drawn; every line is shown in a frame of this width."""
_GROWTH: Final = (1.6, 2.2)


def draw_lengths(rng: Random) -> tuple[int, ...]:
    """Three lengths in the order in which they are shown.

    Neighbours in length differ by a factor of at least 1.6, so that no eye can miss it. The order is random,
    but never from shortest to longest: else 1, 2, 3 would pass one time in six without a look.
    """
    ascending = [rng.uniform(0.10, 0.19) * LONGEST]
    while len(ascending) < LINES:
        ascending.append(ascending[-1] * rng.uniform(*_GROWTH))
    lengths = [round(length) for length in ascending]
    shown = lengths
    while shown == lengths:
        shown = rng.sample(lengths, LINES)
    return tuple(shown)


def verdict(lengths: Sequence[int], magnitudes: Sequence[float]) -> Finding:
    """Pass if the magnitudes strictly ascend when the lines are sorted from shortest to longest."""
    by_length = [magnitude for _, magnitude in sorted(zip(lengths, magnitudes, strict=True))]
    return Finding(all(shorter < longer for shorter, longer in pairwise(by_length)))


CHECK: Final = Check(
    letter="a",
    name="Practice",
    failed="workers who failed the practice task",
    event="practice_failed",
    verdict=verdict,
)

"""Check (a), the practice task: a worker answers for the length of each of three lines ([T15] 3.3)."""

from collections.abc import Sequence
from random import Random
from typing import Final

from judging.protocol.checks.check import Check, Finding, Settings
from judging.protocol.scales import judging_of
from judging.protocol.scales.answers import LONGEST
from judging.protocol.words import gettext_noop as _

LINES: Final = 3
_GROWTH: Final = (1.6, 2.2)


def draw_lengths(rng: Random) -> tuple[int, ...]:
    """Return three lengths in the order in which a worker sees them.

    Each line is at least 1.6 times as long as the next shorter one, so that anybody can see the difference.
    The order is random, but never from shortest to longest. Otherwise, a worker who types 1, 2, 3 without
    looking would pass one time in six.
    """
    ascending = [rng.uniform(0.10, 0.19) * LONGEST]
    while len(ascending) < LINES:
        ascending.append(ascending[-1] * rng.uniform(*_GROWTH))
    lengths = [round(length) for length in ascending]
    order = lengths
    while order == lengths:
        order = rng.sample(lengths, LINES)
    return tuple(order)


def verdict(lengths: Sequence[int], numbers: Sequence[float], study: Settings) -> Finding:
    """Pass if the numbers fit the lengths of the lines, as the scale of the study reads them.

    Raise ValueError if no practice teaches the scale.
    """
    practice = judging_of(study).practice
    if practice is None:
        raise ValueError(f"no practice teaches the scale {study.scale}")
    return Finding(practice.passes(lengths, numbers))


CHECK: Final = Check(
    letter="a",
    heading=_("(a) Practice"),
    failed=_("workers who failed an attempt at the practice"),
    event="practice_failed",
    event_words=_("practice failed"),
    verdict=verdict,
)

"""Check (b), the comprehension question: four options, shuffled for each assignment ([T15] 3.3)."""

from collections.abc import Sequence
from random import Random
from typing import Final

from judging.protocol.checks.base import Check, Fact, Finding

OPTIONS: Final = 4


def shuffle_options(rng: Random) -> tuple[int, ...]:
    """The order in which the options are shown: place on the page → option of the question."""
    return tuple(rng.sample(range(OPTIONS), OPTIONS))


def chosen_option(order: Sequence[int], place: int) -> int:
    """The question's option behind the `place` (from 0) that was chosen on the page."""
    return order[place]


def verdict(option: int, right: int) -> Finding:
    """Pass if the option chosen is the right one."""
    return Finding(option == right, {"option": option})


CHECK: Final = Check(
    letter="b",
    name="Question",
    failed="questions answered wrongly",
    event="comprehension_failed",
    verdict=verdict,
    facts=(
        Fact(
            "option",
            int,
            "the option chosen, from 0, in the order of the study file",
            lambda option: f"option {option + 1} of the study file",
            unit="places",
        ),
    ),
)

"""Check (b), the comprehension question: four options, shuffled for each assignment ([T15] 3.3)."""

from collections.abc import Sequence
from random import Random
from typing import Final

from judging.protocol.checks.check import Check, Fact, Finding
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

OPTIONS: Final = 4


def shuffle_options(rng: Random) -> tuple[int, ...]:
    """Return the index of each option, in the order in which a worker sees the options."""
    return tuple(rng.sample(range(OPTIONS), OPTIONS))


def chosen_option(order: Sequence[int], place: int) -> int:
    """Return the index of the option that the page shows at `place`, counted from 0."""
    return order[place]


def verdict(option: int, right: int) -> Finding:
    """Pass if the worker chose the right option."""
    return Finding(option == right, {"option": option})


def _option_in_words(option: int) -> Sentence:
    return Sentence(_("option {option} in the study file"), {"option": option + 1})


CHECK: Final = Check(
    letter="b",
    heading=_("(b) Question"),
    failed=_("questions answered wrongly"),
    event="comprehension_failed",
    event_words=_("comprehension failed"),
    verdict=verdict,
    facts=(
        Fact(
            "option",
            int,
            "the option chosen, from 0, in the order of the study file",
            _option_in_words,
            unit="places",
        ),
    ),
)

"""The comprehension question: four options, shuffled for each assignment (check (b))."""

from collections.abc import Sequence
from random import Random
from typing import Final

OPTIONS: Final = 4


def shuffle_options(rng: Random) -> tuple[int, ...]:
    """The order in which the options are shown: place on the page → option of the question."""
    return tuple(rng.sample(range(OPTIONS), OPTIONS))


def chosen_option(order: Sequence[int], place: int) -> int:
    """The question's option behind the `place` (from 0) that was chosen on the page."""
    return order[place]

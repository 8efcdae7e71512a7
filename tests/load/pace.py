"""How long the simulated workers really take."""

from collections.abc import Callable
from random import Random
from time import perf_counter

Pace = Callable[[float], float]
"""Seconds that a mind wants to take → seconds that pass before the answer is sent."""


def at_once(seconds: float) -> float:
    """As fast as the site answers."""
    return 0.0


def human(seconds_per_answer: float, seed: int) -> Pace:
    """About so many seconds for each answer, a fifth more or less."""
    rng = Random(f"tempo/{seed}")
    return lambda seconds: seconds_per_answer * rng.uniform(0.8, 1.2)


def at_rate(answers_per_second: float) -> Pace:
    """So many answers a second by all of them together, as long as the site and the crowd can keep up."""
    following = perf_counter()

    def wait(seconds: float) -> float:
        nonlocal following
        present = perf_counter()
        following = max(following + 1 / answers_per_second, present - 1)
        return max(0.0, following - present)

    return wait

"""When to look at a worker: signs that stand far out from those of the other workers of the same study.

A sign is compared with the median of all workers who have it, in units of their spread: the median absolute
deviation times 1.4826, which for a normal distribution is its standard deviation (Iglewicz & Hoaglin, "How to
Detect and Handle Outliers", 1993), and never less than the sign's `least_spread`, as where most workers are
alike. A worker at `FAR` spreads or more, on the side that is suspicious, is flagged. Median and deviation do
not move for a few spammers, as mean and standard deviation would.

A correlation over a dozen documents is uncertain, so it has the benefit of one standard error of Fisher's z
before it is compared: tanh(artanh r + 1 / √(n − 3)) for n documents (Fisher, 1921).

Nobody is judged by fewer than `LEAST_UNITS` units, nor beside fewer than `LEAST_WORKERS`. A flag is a reason
to look, and nothing follows from it by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import atanh, log, sqrt, tanh
from statistics import median
from typing import Final

from judging.protocol.proportion import percent

FAR: Final = 3.5
NORMAL: Final = 1.4826
LEAST_UNITS: Final = 2
LEAST_WORKERS: Final = 8


@dataclass(frozen=True)
class Signs:
    """What is known of a worker; None for what cannot be told.

    `seconds` a document; `range` of a unit, the largest magnitude over the smallest; `commonest` the share of
    magnitudes that are one and the same number; `agreement` with the others over
    `shared` documents, more than three; `repeats` the share of
    justifications used before; `failures` of checks (b) to (d) for each unit begun.
    """

    begun: int
    completed: int
    seconds: float | None = None
    range: float | None = None
    commonest: float | None = None
    agreement: float | None = None
    shared: int = 0
    repeats: float | None = None
    failures: float | None = None


@dataclass(frozen=True)
class Sign:
    """How one sign is compared. `side` is −1 where small is suspicious; `ratio`: by logarithms."""

    name: str
    side: int
    least_spread: float
    ratio: bool = False

    def scaled(self, value: float) -> float:
        return log(value) if self.ratio else value


SIGNS: Final = (
    Sign("seconds", side=-1, least_spread=0.2, ratio=True),
    Sign("range", side=-1, least_spread=0.3, ratio=True),
    Sign("commonest", side=1, least_spread=0.1),
    Sign("agreement", side=-1, least_spread=0.1),
    Sign("repeats", side=1, least_spread=0.1),
    Sign("failures", side=1, least_spread=0.3),
)


def value_of(signs: Signs, sign: Sign) -> float | None:
    """The value that a sign is compared by; None where there are too few units, or nothing is known."""
    units = signs.begun if sign.name == "failures" else signs.completed
    value: float | None = getattr(signs, sign.name)
    if units < LEAST_UNITS or value is None or (sign.ratio and value <= 0):
        return None
    if sign.name == "agreement" and signs.shared <= 3:
        return None
    return value


def flags(workers: Mapping[str, Signs]) -> dict[str, list[str]]:
    """Worker → why to look at them, a sentence for each sign, in the order of `SIGNS`; [] for most."""
    found: dict[str, list[str]] = {name: [] for name in workers}
    for sign in SIGNS:
        values = {name: value for name, one in workers.items() if (value := value_of(one, sign)) is not None}
        if len(values) < LEAST_WORKERS:
            continue
        middle = median(values.values())
        scaled = [sign.scaled(value) for value in values.values()]
        centre = median(scaled)
        deviation = median(abs(value - centre) for value in scaled)
        spread = max(NORMAL * deviation, sign.least_spread)
        for name, value in values.items():
            compared = _at_best(workers[name]) if sign.name == "agreement" else value
            if sign.side * (sign.scaled(compared) - centre) / spread >= FAR:
                found[name].append(_sentence(sign, value, middle, len(values)))
    return found


def _at_best(signs: Signs) -> float:
    """The agreement one standard error higher; a perfect one cannot be."""
    agreement = min(signs.agreement or 0.0, 1 - 1e-12)
    return tanh(atanh(max(agreement, 1e-12 - 1)) + 1 / sqrt(signs.shared - 3))


def _sentence(sign: Sign, value: float, middle: float, workers: int) -> str:
    beside = f"the median of {workers} workers"
    if sign.name == "seconds":
        pace = f"{value:.1f} s a document against {middle:.1f} s"
        return f"{middle / value:.1f} times as quick as {beside}: {pace}."
    if sign.name == "range":
        return (
            f"Hardly tells documents apart: the largest number of a unit is {value:.3g} times the smallest,"
            f" against {middle:.3g} times for {beside}."
        )
    if sign.name == "commonest":
        return (
            f"{percent(value)} of the magnitudes are the same number, against {percent(middle)} for {beside}."
        )
    if sign.name == "agreement":
        return (
            f"Does not follow the others: correlation {value:.2f} with them on shared documents, against"
            f" {middle:.2f} for {beside}."
        )
    if sign.name == "repeats":
        against = f"against {percent(middle)} for {beside}"
        return f"{percent(value)} of the justifications repeat earlier ones, {against}."
    return f"Fails often: {value:.1f} failed checks for each unit begun, against {middle:.1f} for {beside}."

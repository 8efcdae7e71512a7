"""The kinds of simulated workers, their parameters, and the mix of kinds.

The parameters are chosen so that the default mix resembles the workers of the original study (Turpin et al.,
SIGIR 2015). Magnitudes are mostly 2–15, and some are 100 or 1,000. The median of the H/N ratios is near 5.
Fewer than 10 % of units fail a check at least once. Workers go back in fewer than 3 % of units.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import floor, log
from random import Random
from typing import Final


@dataclass(frozen=True)
class Spread:
    """A log-normal distribution with this median. `sigma` is the standard deviation of the logarithm."""

    median: float
    sigma: float = 0.0

    def draw(self, rng: Random) -> float:
        return rng.lognormvariate(log(self.median), self.sigma)


class Reaction(StrEnum):
    """A worker's reaction to the message that their work is not accurate enough."""

    CORRECT = "read again and judge again"
    INVERT = "reverse the order of the numbers"
    GIVE_BACK = "return the unit"
    LEAVE = "close the page and never come back"


@dataclass(frozen=True)
class Kind:
    """A kind of worker. Each worker's own scale, range, noise and speed are drawn from the kind.

    `scale` is the number for a document of relevance 1, and `range` is the exponent of relevance. `noise` is
    the standard deviation of ln magnitude for documents, and `eye` is the same for practice lines.
    `words_per_second` is the reading speed. `patience` is the chance that a worker who finishes a document
    early waits until the minimum time is over. `understands` is the chance to answer a question correctly.
    `reactions` are the chances of each reaction, and add up to 1. If `reads` is False, the worker treats
    every document as if its relevance were 1. `stays` is the chance to take another unit. `slips` is the
    chance per document to type an invalid number first. Three chances are per unit: `presses_back` to go back
    to the previous document, `breaks_off` to leave the page (perhaps for good), and `gives_back` to return
    the unit.
    """

    name: str
    about: str
    scale: Spread
    range: Spread
    noise: Spread
    eye: float
    words_per_second: Spread
    patience: float
    understands: float
    reactions: Mapping[Reaction, float]
    reads: bool = True
    stays: float = 0.8
    presses_back: float = 0.015
    breaks_off: float = 0.02
    gives_back: float = 0.01
    slips: float = 0.005


_MOSTLY_CORRECT: Final = {Reaction.CORRECT: 0.94, Reaction.GIVE_BACK: 0.04, Reaction.LEAVE: 0.02}

CAREFUL: Final = Kind(
    name="careful",
    about="reads every document; highly relevant documents get about five times the number",
    scale=Spread(2.2, 0.45),
    range=Spread(1.0, 0.2),
    noise=Spread(0.28, 0.2),
    eye=0.06,
    words_per_second=Spread(3.6, 0.2),
    patience=0.997,
    understands=0.96,
    reactions=_MOSTLY_CORRECT,
)
NARROW: Final = Kind(
    name="narrow",
    about="like careful, but with numbers close together",
    scale=Spread(4.0, 0.35),
    range=Spread(0.55, 0.15),
    noise=Spread(0.16, 0.2),
    eye=0.06,
    words_per_second=Spread(3.6, 0.2),
    patience=0.997,
    understands=0.95,
    reactions=_MOSTLY_CORRECT,
)
WIDE: Final = Kind(
    name="wide",
    about="like careful, but with numbers up to the hundreds",
    scale=Spread(2.4, 0.9),
    range=Spread(2.0, 0.2),
    noise=Spread(0.45, 0.2),
    eye=0.08,
    words_per_second=Spread(3.6, 0.2),
    patience=0.997,
    understands=0.95,
    reactions=_MOSTLY_CORRECT,
)
CARELESS: Final = Kind(
    name="careless",
    about="skims, and often continues before the minimum time",
    scale=Spread(3.0, 0.5),
    range=Spread(0.8, 0.3),
    noise=Spread(0.6, 0.2),
    eye=0.25,
    words_per_second=Spread(8.0, 0.25),
    patience=0.85,
    understands=0.75,
    reactions={
        Reaction.CORRECT: 0.7,
        Reaction.INVERT: 0.08,
        Reaction.GIVE_BACK: 0.12,
        Reaction.LEAVE: 0.1,
    },
    stays=0.65,
    breaks_off=0.06,
    gives_back=0.03,
    slips=0.01,
)
SPAMMER: Final = Kind(
    name="spammer",
    about="types numbers without reading, and reverses them after a failed check",
    scale=Spread(5.0, 0.6),
    range=Spread(1.0),
    noise=Spread(0.6, 0.2),
    reads=False,
    eye=0.5,
    words_per_second=Spread(40.0, 0.4),
    patience=0.3,
    understands=0.5,
    reactions={Reaction.INVERT: 0.5, Reaction.GIVE_BACK: 0.2, Reaction.LEAVE: 0.3},
    stays=0.6,
    breaks_off=0.04,
    slips=0.03,
)

KINDS: Final = {kind.name: kind for kind in (CAREFUL, NARROW, WIDE, CARELESS, SPAMMER)}
DEFAULT_MIX: Final[Mapping[str, int]] = {"careful": 70, "narrow": 12, "wide": 11, "careless": 5, "spammer": 2}


def parse_mix(text: str) -> dict[str, int]:
    """Return the share of each kind in a string such as `careful=70,spammer=2`. The sum can be any number.

    Raise ValueError if the string is not valid.
    """
    mix: dict[str, int] = {}
    for part in text.split(","):
        name, _, share = (piece.strip() for piece in part.partition("="))
        if name not in KINDS:
            raise ValueError(f'"{name}" is not a kind of worker. The kinds are: {", ".join(KINDS)}.')
        if name in mix or not (share.isascii() and share.isdigit()):
            raise ValueError(
                f'"{part.strip()}" is not valid. Write each kind once with a whole number, such as {name}=10.'
            )
        mix[name] = int(share)
    if not any(mix.values()):
        raise ValueError("All shares are 0. Give at least one kind of worker a share above 0.")
    return mix


def assign_kinds(mix: Mapping[str, int], workers: int, rng: Random) -> list[Kind]:
    """Return the kind of each worker, in random order.

    The shares are rounded to whole workers with the largest remainder method.
    """
    total = sum(mix.values())
    exact = {name: workers * share / total for name, share in mix.items()}
    counts = {name: floor(share) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: workers - sum(counts.values())]:
        counts[name] += 1
    crowd = [KINDS[name] for name, count in counts.items() for _ in range(count)]
    rng.shuffle(crowd)
    return crowd

"""Weigh whether a worker reads the documents or guesses, by the record over several units.

Check (c) alone cannot tell. Somebody who types random numbers passes it in one of two attempts, and in seven
of eight units within three attempts. Over several units, the two differ. The weight of a record is the
logarithm of how many times more probable it is for a guesser than for a reader (Wald, "Sequential Tests of
Statistical Hypotheses", 1945). It has three parts, with these assumptions, which are **chosen** to be in
favour of the worker:

- **First attempts.** A guesser passes the checks at the first attempt with probability ½, a reader with 0.85.
  With two pairs of anchors, each pair has to pass, so the probabilities are ½² = 0.25 and 0.85² = 0.72.
- **Corrections.** Between two attempts at a unit, a guesser draws new numbers, so that Kendall's τ between
the
  attempts is below `REDRAWN` in 84 % of the units (τ over eight random numbers has a standard deviation of
  0.29). A reader changes a few numbers, so that τ is below it in 20 % of the units.
- **Agreement.** Over n shared documents, Fisher's z of the correlation with the other workers has the
standard
  deviation 1 / √(n − 3). For a guesser, its mean is 0, for a reader at least that of a correlation of 0.3.

A record looks like guessing if it is at least `ODDS` times more probable for a guesser, over at least the
number of units that the study states. By Wald's inequality, this happens to at most one in `ODDS` readers,
however many units they do.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from math import atanh, log, sqrt
from typing import Final, Protocol

from judging.protocol.platforms import PLATFORMS

RECORD_CHECKS: Final = ("paid", "on", "off")
"""The values of the setting `record_check`."""
ODDS: Final = 20
REDRAWN: Final = 0.3
_GUESSER_PASSES: Final = 0.5
_READER_PASSES: Final = 0.85
_NEW_NUMBERS: Final = log(0.84 / 0.2)
_CORRECTED: Final = log(0.16 / 0.8)
_AGREEMENT: Final = atanh(0.3)


class Settings(Protocol):
    """The settings that decide whether records are weighed."""

    @property
    def record_check(self) -> str: ...
    @property
    def record_units(self) -> int: ...
    @property
    def platform(self) -> str: ...
    @property
    def pay_per_unit(self) -> Decimal: ...


@dataclass(frozen=True)
class UnitOutcome:
    """Whether the first attempt at a unit passed, and the lowest τ between two attempts, or None."""

    passed: bool
    tau: float | None = None


@dataclass(frozen=True)
class Record:
    """A worker's record.

    `units` is the number of units that the worker tried to finish, and `passed` says how many of them passed
    at the first attempt. `redrawn` and `corrected` are the numbers of units with two attempts, by the τ
    between them. `agreement` is the correlation with the other workers over `shared` documents, or None.
    `anchor_pairs` is the number of pairs of anchors in each unit.
    """

    units: int
    passed: int
    redrawn: int = 0
    corrected: int = 0
    agreement: float | None = None
    shared: int = 0
    anchor_pairs: int = 1

    @property
    def weight(self) -> float:
        """Return ln of how many times more probable this record is for a guesser than for a reader."""
        guesser, reader = _GUESSER_PASSES**self.anchor_pairs, _READER_PASSES**self.anchor_pairs
        attempts = self.passed * log(guesser / reader)
        attempts += (self.units - self.passed) * log((1 - guesser) / (1 - reader))
        corrections = self.redrawn * _NEW_NUMBERS + self.corrected * _CORRECTED
        return attempts + corrections + self._weight_of_agreement

    @property
    def _weight_of_agreement(self) -> float:
        if self.agreement is None or self.shared <= 3:
            return 0.0
        root = sqrt(self.shared - 3)
        z, mean = atanh(max(min(self.agreement, 0.999), -0.999)) * root, _AGREEMENT * root
        return mean * (mean - 2 * z) / 2

    @property
    def facts(self) -> dict[str, float | None]:
        """Return the values to store with a decision."""
        return {**asdict(self), "weight": round(self.weight, 3)}


def record_from(
    outcomes: Sequence[UnitOutcome],
    *,
    agreement: float | None = None,
    shared: int = 0,
    anchor_pairs: int = 1,
) -> Record:
    """Return the record of a worker with these outcomes, in units with so many pairs of anchors."""
    taus = [outcome.tau for outcome in outcomes if outcome.tau is not None]
    redrawn = sum(1 for tau in taus if tau < REDRAWN)
    passed = sum(1 for outcome in outcomes if outcome.passed)
    return Record(len(outcomes), passed, redrawn, len(taus) - redrawn, agreement, shared, anchor_pairs)


def looks_guessed(record: Record, *, least_units: int) -> bool:
    """Return whether a record of at least `least_units` units looks like guessing."""
    return record.units >= least_units and record.weight >= log(ODDS)


def is_weighed(study: Settings) -> bool:
    """Return whether the study weighs its workers' records."""
    if study.record_check == "paid":
        return study.pay_per_unit > 0 and PLATFORMS[study.platform].is_external
    return study.record_check == "on"

"""Flag workers whose statistics are far from those of the other workers of the same study.

A worker's value is compared with the median of all workers' values. The distance is measured in spreads. A
spread is the median absolute deviation times 1.4826. For a normal distribution, this equals the standard
deviation (Iglewicz & Hoaglin, "How to Detect and Handle Outliers", 1993). If most workers have nearly the
same value, the median absolute deviation is close to 0. So a spread is never smaller than the `least_spread`
of the statistic. A worker is flagged if the value is at least `FAR` spreads away from the median, on the
suspicious side. A few spammers hardly change the median and the median absolute deviation, but they would
change the mean and the standard deviation.

A correlation over a dozen documents is uncertain. So before an agreement r over n documents is compared,
Fisher's z is raised by one standard error: tanh(artanh r + 1 / √(n − 3)) (Fisher, 1921).

A worker needs at least `LEAST_UNITS` units, and a study at least `LEAST_WORKERS` workers with a value. A flag
is a reason to look at a worker. Plumbline never acts on it by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atanh, log, sqrt, tanh
from statistics import median
from typing import Final

from judging.protocol.proportion import percent
from judging.protocol.record import Record, looks_guessed
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

FAR: Final = 3.5
NORMAL: Final = 1.4826
LEAST_UNITS: Final = 2
LEAST_WORKERS: Final = 8


@dataclass(frozen=True)
class Signs:
    """The statistics of a worker. Unknown values are None.

    `seconds` is the median time per document. For each unit, the largest magnitude is divided by the
    smallest, and `range` is the median of these ratios. `commonest` is the share of magnitudes that equal the
    most frequent magnitude. `agreement` is the correlation with the other workers over `shared` documents. It
    is ignored if `shared` is three or less. `repeats` is the share of the worker's justifications that repeat
    an earlier one. `failures` is the mean number of failed checks (b) to (d) per unit started. `begun` and
    `completed` are numbers of units.
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
    """A statistic, and how to compare it between workers.

    `side` is −1 if small values are suspicious, and 1 if large values are. If `ratio` is True, logarithms are
    compared. `reason` is the sentence for people, and `written` formats the values in this sentence.
    """

    name: str
    side: int
    least_spread: float
    reason: str
    ratio: bool = False
    written: Callable[[float], str] = "{:.1f}".format

    def scaled(self, value: float) -> float:
        return log(value) if self.ratio else value


SIGNS: Final = (
    Sign(
        "seconds",
        side=-1,
        least_spread=0.2,
        ratio=True,
        reason=_(
            "{times} times as fast as the median of {workers} workers: {value} s instead of {median} s per"
            " document."
        ),
    ),
    Sign(
        "range",
        side=-1,
        least_spread=0.3,
        ratio=True,
        reason=_(
            "Hardly distinguishes between documents: the largest number in a unit is {value} times the "
            "smallest. The median of this ratio for {workers} workers is {median}."
        ),
        written="{:.3g}".format,
    ),
    Sign(
        "commonest",
        side=1,
        least_spread=0.1,
        reason=_(
            "Uses the same number for {value} of the judgments. The median of {workers} workers is {median}."
        ),
        written=percent,
    ),
    Sign(
        "agreement",
        side=-1,
        least_spread=0.1,
        reason=_(
            "Disagrees with the other workers: the correlation with them on shared documents is {value}. The"
            " median of {workers} workers is {median}."
        ),
        written="{:.2f}".format,
    ),
    Sign(
        "repeats",
        side=1,
        least_spread=0.1,
        reason=_(
            "Repeats earlier reasons in {value} of the judgments. The median of {workers} workers is"
            " {median}."
        ),
        written=percent,
    ),
    Sign(
        "failures",
        side=1,
        least_spread=0.3,
        reason=_(
            "Fails often: {value} failed checks per unit started. The median of {workers} workers is"
            " {median}."
        ),
    ),
)


def value_of(signs: Signs, sign: Sign) -> float | None:
    """Return the value to compare, or None if it cannot be compared.

    A value cannot be compared if it is unknown, or if the worker has done too little work. If `sign.ratio` is
    True, the value must also be positive.
    """
    units = signs.begun if sign.name == "failures" else signs.completed
    value: float | None = getattr(signs, sign.name)
    if units < LEAST_UNITS or value is None or (sign.ratio and value <= 0):
        return None
    if sign.name == "agreement" and signs.shared <= 3:
        return None
    return value


def flags(workers: Mapping[str, Signs]) -> dict[str, list[Sentence]]:
    """Return a dict from each worker to the reasons to look at that worker, in the order of `SIGNS`."""
    reasons: dict[str, list[Sentence]] = {name: [] for name in workers}
    for sign in SIGNS:
        values = {
            name: value for name, signs in workers.items() if (value := value_of(signs, sign)) is not None
        }
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
                reasons[name].append(_reason(sign, value, middle, len(values)))
    return reasons


def guessing_flags(record: Record, *, least_units: int) -> list[Sentence]:
    """Return the reason to look at a worker whose record looks like guessing, or an empty list.

    Unlike the statistics in `SIGNS`, a record is compared with guessing, not with other workers. So it also
    shows in a crowd in which most workers guess.
    """
    if not looks_guessed(record, least_units=least_units):
        return []
    text = _(
        "The record looks like guessing: {passed} of {units} units passed the checks at the first attempt. In"
        " {redrawn} units, a later attempt had new numbers instead of corrected ones."
    )
    return [Sentence(text, {"passed": record.passed, "units": record.units, "redrawn": record.redrawn})]


def _at_best(signs: Signs) -> float:
    """Return the agreement after one standard error is added to Fisher's z. The result is below 1."""
    agreement = min(signs.agreement or 0.0, 1 - 1e-12)
    return tanh(atanh(max(agreement, 1e-12 - 1)) + 1 / sqrt(signs.shared - 3))


def _reason(sign: Sign, value: float, middle: float, workers: int) -> Sentence:
    figures = {"value": sign.written(value), "median": sign.written(middle)}
    if sign.name == "seconds":
        figures["times"] = sign.written(middle / value)
    return Sentence(sign.reason, {**figures, "workers": workers})

"""The crowds: how documents differ from their grades, and how workers turn relevance into numbers.

ln m = location + exponent · θ + noise. θ is the document's true level: the natural logarithm of its gain. The
typical document that is not relevant has the level 0. Location, exponent and noise belong to the worker. The
worker types the number closest to m that suits the worker's taste.
"""

from dataclasses import dataclass
from typing import Final

GRADES: Final = "NMRH"
"""The known grades, from not relevant to highly relevant."""


@dataclass(frozen=True)
class Crowd:
    """The parameters of a crowd. A `sigma` is the standard deviation of a natural logarithm.

    Documents: `levels` has the mean level θ of each grade, in the order of `GRADES`. `document_sigma` is how
    far a document's level deviates from the level of its true grade. `wrong_grades` is the share of known
    grades that are one grade off. `relevant_unknown` is the share of ungraded documents that are relevant.

    Workers: `location_sigma` is the spread of the workers' locations. The exponents are log-normal with the
    median `exponent` and `exponent_sigma`. The noise has the median `noise` and `noise_sigma`. `lapses` is
    the chance that a worker judges a document without reading it. `spammers` is the share of workers who
    never read. `rounding` has the share of each taste, in the order of `TASTES`.

    Time: `first_seconds` and `last_seconds` are the mean seconds for the first and the last document of a
    unit. `seconds_sigma` is the spread.

    Checks: `corrections` is the chance that a worker corrects a unit that fails the check of the anchors. The
    others invert their numbers or give up, in equal parts.
    """

    name: str
    levels: tuple[float, float, float, float] = (0.0, 0.55, 1.1, 1.6)
    document_sigma: float = 0.45
    wrong_grades: float = 0.12
    relevant_unknown: float = 0.1
    location: float = 1.0
    location_sigma: float = 0.8
    exponent: float = 1.0
    exponent_sigma: float = 0.35
    noise: float = 0.55
    noise_sigma: float = 0.3
    lapses: float = 0.05
    spammers: float = 0.03
    rounding: tuple[float, float, float] = (0.6, 0.2, 0.2)
    first_seconds: float = 81.0
    last_seconds: float = 47.0
    seconds_sigma: float = 0.6
    corrections: float = 0.9


CAREFUL: Final = Crowd("careful", noise=0.4, lapses=0.02, spammers=0.0, exponent_sigma=0.25)
TYPICAL: Final = Crowd("typical")
POOR: Final = Crowd("poor", noise=0.75, lapses=0.12, spammers=0.12, exponent_sigma=0.45, corrections=0.75)
CROWDS: Final = {crowd.name: crowd for crowd in (CAREFUL, TYPICAL, POOR)}

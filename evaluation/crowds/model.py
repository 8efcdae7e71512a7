"""The crowds: how a document's relevance differs from its grade, and how workers turn relevance into numbers.

The model of a worker's number m is ln m = location + exponent · θ + noise. θ is the document's true level:
the natural logarithm of its gain. A typical document that is not relevant has a level of 0. Each worker has a
location, an exponent and an amount of noise. The worker does not type m itself, but the closest number that
is round enough for the worker's taste.

The parameters of the typical crowd come from two sources:

- the workers of the original study: Turpin, Scholer, Mizzaro and Maddalena, "The Benefits of Magnitude
  Estimation Relevance Assessments for IR Evaluation", SIGIR 2015 [T15];
- the data of RankME: Novikova, Dušek and Rieser, "RankME: Reliable Human Ratings for Natural Language
  Generation", NAACL 2018.

`tests/benchmarks/fit_crowd.py` fits the parameters. It prints each crowd's figures beside the published ones.
"""

from dataclasses import dataclass
from typing import Final

GRADES: Final = "NMRH"
"""The known grades, from not relevant to highly relevant."""
LEAST_SECONDS: Final = 20.0
"""The minimum time for a document in [T15]'s check (d), in seconds."""
TRIES: Final = 3
"""The number of times that a worker can try to finish a unit. Then another worker gets the unit."""


@dataclass(frozen=True)
class Crowd:
    """The parameters of a crowd. A `sigma` is the standard deviation of a natural logarithm.

    The source of each parameter is in brackets. It is the published figure to which
    `tests/benchmarks/fit_crowd.py` fits the parameter, a measured value, or "chosen" if there is neither.

    Documents, the same for all three crowds:

    - `levels` (fitted to the ratios H/N) has the mean level θ of each grade, in the order of `GRADES`. The
      steps between the grades are equal.
    - `document_sigma` (fitted to the agreement with experts) is the standard deviation of documents' levels
      around the level of their true grade. Anchors deviate half as far, and by at most 0.75 times
      `document_sigma`, because researchers pick documents whose grade is obvious (chosen).
    - `wrong_grades` (chosen) is the share of known grades that are one grade off.
    - `relevant_unknown` (chosen) is the share of relevant documents among those without a known grade.

    Numbers:

    - `location` and `location_sigma` (fitted to magnitudes of mostly 2–15) are the mean and the standard
      deviation of the workers' locations.
    - `exponent` is the median of the workers' exponents. It is 1, because it defines the unit of the levels.
    - `exponent_sigma` (chosen) is the spread of the exponents.
    - `noise` (fitted to the residual standard deviation) is the median of the workers' noise.
    - `noise_sigma` (RankME) is the spread of the workers' noise. In RankME, the workers' standard deviations
      have a spread of 0.5. Part of this spread comes from the exponents.
    - `anchor_noise` (fitted to the share of units that fail) multiplies the noise for anchors, because
      workers differ less about documents whose grade is obvious.
    - `rounding` (RankME: the shares of multiples of 10 and of 5) has the share of workers with each taste, in
      the order of `TASTES`.

    Care:

    - `lapses` (chosen) is the mean chance that a worker judges a document without reading it. The workers'
      chances follow a beta distribution, and most of the chances are near 0.
    - `spammers` (chosen) is the share of workers who never read.
    - `corrections` (chosen) is the chance that a worker corrects a unit that fails a check. Of the workers
      who do not, half invert their numbers if the anchors are in the wrong order. The rest give up. Spammers
      never correct a unit.

    Time:

    - `first_seconds` and `last_seconds` (measured) are the mean seconds for the first and the last document
      of a unit. They exclude waiting time and all documents that workers judge without reading. If both are
      included, the means are 81 s and 47 s, as measured.
    - `seconds_sigma` and `pace_sigma` (chosen) are the spreads of these seconds within workers and between
      workers.
    - `patience` (chosen) is the chance that a worker who is done early waits until the minimum time is over.
    """

    name: str
    levels: tuple[float, float, float, float] = (0.0, 0.58, 1.16, 1.74)
    document_sigma: float = 0.8
    wrong_grades: float = 0.12
    relevant_unknown: float = 0.1
    location: float = 1.25
    location_sigma: float = 1.04
    exponent: float = 1.0
    exponent_sigma: float = 0.35
    noise: float = 0.82
    noise_sigma: float = 0.4
    anchor_noise: float = 0.41
    rounding: tuple[float, float, float] = (0.6, 0.35, 0.05)
    lapses: float = 0.03
    spammers: float = 0.03
    corrections: float = 0.9
    first_seconds: float = 83.0
    last_seconds: float = 46.7
    seconds_sigma: float = 0.5
    pace_sigma: float = 0.3
    patience: float = 0.97


CAREFUL: Final = Crowd(
    "careful", exponent_sigma=0.25, noise=0.55, lapses=0.01, spammers=0.0, corrections=0.97, patience=0.99
)
TYPICAL: Final = Crowd("typical")
POOR: Final = Crowd(
    "poor", exponent_sigma=0.45, noise=1.05, lapses=0.1, spammers=0.12, corrections=0.75, patience=0.93
)
CROWDS: Final = {crowd.name: crowd for crowd in (CAREFUL, TYPICAL, POOR)}

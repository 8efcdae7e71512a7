"""An arm: its judgments, and what is known of the work behind them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..arguments import refuse_amount
from ..conventions import Statistic
from ..frames import Gains, Judgments
from ..magnitudes import gains, normalise
from ..magnitudes.normalisation import Method
from ..options import checked


@dataclass(frozen=True)
class Work:
    """The work in an arm. What is unknown is None or empty.

    `paid` is all that the judgments cost, with fees and with units that do not count. `units` is the number
    of completed units, and `attempts` the number of attempts that have ended. `unit_seconds`,
    `document_seconds` and `visible_seconds` are medians: how long the documents of a unit were open, how long
    a document was open, and how long it could be seen. `failures` maps what went wrong to the number of
    attempts, such as those that failed a check at least once or that were given back.
    """

    paid: float | None = None
    currency: str = ""
    units: int | None = None
    attempts: int | None = None
    unit_seconds: float | None = None
    document_seconds: float | None = None
    visible_seconds: float | None = None
    failures: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.paid is not None:
            refuse_amount("paid", self.paid)


@checked
@dataclass(frozen=True, eq=False)
class Arm:
    """The judgments of one arm, and how they become gains: with a method of `normalise` and a statistic.

    A `method` or a `statistic` of None stands for the default of the scale.
    """

    name: str
    judgments: Judgments
    work: Work = Work()
    method: Method | None = None
    statistic: Statistic | None = None

    def gains(self, judgments: Judgments | None = None) -> Gains:
        """Return the gains of the arm's judgments, or of some of them."""
        some = self.judgments if judgments is None else judgments
        return gains(some, normalise(some, self.method), self.statistic)

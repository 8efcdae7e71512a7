"""The units, money and time of a planned study."""

from dataclasses import dataclass
from math import ceil

from ..arguments import refuse_amount
from ..errors import InputError


@dataclass(frozen=True)
class Terms:
    """The pay, the fee, the time for a document, and the size of a unit.

    `pay` is what a worker gets for a unit, in any currency. `fee` is what the platform charges on top, as a
    share of `pay`. `seconds` is the time for a document. `unit_size` is the number of documents in a unit,
    and `anchors` is the number of anchors among them. `model_cost` is what a model costs that predicts the
    gains: the money for each document of the pool, in the currency of `pay`. Raise `InputError` if a unit has
    only anchors, or if a number is negative or not finite.
    """

    pay: float = 0.0
    fee: float = 0.0
    seconds: float = 60.0
    unit_size: int = 8
    anchors: int = 2
    model_cost: float = 0.0

    def __post_init__(self) -> None:
        if self.unit_size <= self.anchors or self.anchors < 0:
            raise InputError(
                "unit-without-documents",
                "{size} documents are too few for a unit with {anchors} anchors; give a larger unit",
                size=self.unit_size,
                anchors=self.anchors,
            )
        for name in ("pay", "fee", "seconds", "model_cost"):
            refuse_amount(name, getattr(self, name))

    def units(self, topics: int, documents: float, judgments: int) -> int:
        """Return the number of units of a study.

        `documents` is the number of documents in each topic, without the anchors. A unit has
        `unit_size` − `anchors` places for these documents. So a topic needs ⌈judgments · documents / places⌉
        units.
        """
        return topics * ceil(judgments * documents / (self.unit_size - self.anchors))

    def cost(self, units: int) -> float:
        """Return the sum of the workers' pay and the platform's fee."""
        return units * self.pay * (1 + self.fee)

    def hours(self, units: int) -> float:
        """Return the working time of all workers, in hours."""
        return units * self.unit_size * self.seconds / 3600

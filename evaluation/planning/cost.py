"""The units, money and time of a planned study."""

from dataclasses import dataclass
from math import ceil, isfinite

from evaluation.errors import InputError


@dataclass(frozen=True)
class Terms:
    """The conditions of work: units of `unit_size` documents, two of which are anchors.

    `pay` is the worker's reward for a unit, in any currency. `fee` is the platform's charge on top, as a
    share of `pay`. `seconds` is the time for a document. Raise `InputError` for a unit without other
    documents than anchors, and for a number that is negative or not finite.
    """

    pay: float = 0.0
    fee: float = 0.0
    seconds: float = 60.0
    unit_size: int = 8
    anchors: int = 2

    def __post_init__(self) -> None:
        if self.unit_size <= self.anchors or self.anchors < 0:
            raise InputError(
                "unit-without-documents",
                "a unit of {size} documents with {anchors} anchors has no other document; give a larger unit",
                size=self.unit_size,
                anchors=self.anchors,
            )
        for name in ("pay", "fee", "seconds"):
            if not (isfinite(amount := getattr(self, name)) and amount >= 0):
                raise InputError(
                    "amount-out-of-bounds",
                    "{argument} is {amount}; give a finite number that is at least 0",
                    argument=name,
                    amount=str(amount),
                )

    def units(self, topics: int, documents: float, judgments: int) -> int:
        """Return the number of units, if each topic has this many documents besides its anchors.

        A topic needs ⌈judgments · documents / places⌉ units, where a unit has `unit_size` − `anchors` places.
        """
        return topics * ceil(judgments * documents / (self.unit_size - self.anchors))

    def cost(self, units: int) -> float:
        """Return the workers' pay and the platform's fee."""
        return units * self.pay * (1 + self.fee)

    def hours(self, units: int) -> float:
        """Return the working time of all workers."""
        return units * self.unit_size * self.seconds / 3600

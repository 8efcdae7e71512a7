"""What a scale reads in answers: the order of the anchors, and whether a practice is passed."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, Protocol

AnchorOrder = Literal["ordered", "tied", "inverted"]


class AnchorNumbers(Protocol):
    """The answers of a finished unit, as a scale reads them."""

    def magnitude_of(self, anchor: str) -> float:
        """Return the number of an anchor."""

    def points_between(self, anchor: str, other: str) -> float:
        """Return what an anchor got in the pair with another anchor, from 0 to 1."""


def compare(high: float, low: float) -> AnchorOrder:
    """Return how two numbers compare of which the first should be the larger one."""
    if high > low:
        return "ordered"
    return "tied" if high == low else "inverted"


def order_of_numbers(unit: AnchorNumbers, high: str, low: str) -> AnchorOrder:
    """Return how the numbers of an H anchor (`high`) and of an N anchor (`low`) compare."""
    return compare(unit.magnitude_of(high), unit.magnitude_of(low))


def order_in_pair(unit: AnchorNumbers, high: str, low: str) -> AnchorOrder:
    """Return which of an H anchor (`high`) and an N anchor (`low`) the worker preferred in their pair."""
    return compare(unit.points_between(high, low), 0.5)


def ascends(lengths: Sequence[int], numbers: Sequence[float]) -> bool:
    """Return whether every longer line has a larger number."""
    by_length = [number for length, number in sorted(zip(lengths, numbers, strict=True))]
    return all(shorter < longer for shorter, longer in pairwise(by_length))

"""What a scale reads in answers: the order of the anchors, and whether a practice is passed."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, Protocol

LONGEST: Final = 1000
"""The width of the frame in which each line of the practice is shown. Every line is shorter than this."""
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


def never_descends(lengths: Sequence[int], numbers: Sequence[float]) -> bool:
    """Return whether no longer line has a smaller number, and the longest has a larger one than the shortest.

    Among few grades, two lines of different lengths can have the same one.
    """
    by_length = [number for length, number in sorted(zip(lengths, numbers, strict=True))]
    return by_length == sorted(by_length) and by_length[0] < by_length[-1]


def ratios_to_first(lengths: Sequence[int], numbers: Sequence[float]) -> list[tuple[str, str]]:
    """Return how each line and its number compare with the first line and its number."""
    return [
        (_times(length / lengths[0]), f"{number:.3g} ({_times(number / numbers[0])})")
        for length, number in zip(lengths, numbers, strict=True)
    ]


def shares_of_frame(lengths: Sequence[int], numbers: Sequence[float]) -> list[tuple[str, str]]:
    """Return the length of each line, if the frame is 100 wide, and its number."""
    return [
        (f"{100 * length / LONGEST:.0f}", f"{number:.3g}")
        for length, number in zip(lengths, numbers, strict=True)
    ]


def steps_of_lines(lengths: Sequence[int], numbers: Sequence[float]) -> list[tuple[str, str]]:
    """Return how each line compares with the first line, and its step. Steps count from 1 for workers."""
    return [
        (_times(length / lengths[0]), f"{number + 1:g}")
        for length, number in zip(lengths, numbers, strict=True)
    ]


def _times(ratio: float) -> str:
    return f"{ratio:.2g} ×"

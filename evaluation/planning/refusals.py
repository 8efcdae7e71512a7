"""Refusals of sizes and goals that cannot be planned."""

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..sampling.inclusion import LEAST


def refuse_sizes(topics: Sequence[int], judgments: Sequence[int]) -> None:
    """Raise `InputError` if a list is empty or has a number below 1."""
    for what, numbers in (("topics", topics), ("judgments", judgments)):
        if not len(numbers) or min(numbers) < 1:
            raise InputError(
                "nothing-to-plan",
                "{argument} is {numbers}; give one or more positive whole numbers",
                argument=what,
                numbers=", ".join(map(str, numbers)) or "empty",
            )


def refuse_shares(shares: Sequence[float]) -> None:
    """Raise `InputError` if the list is empty or has a share below `LEAST` or above 1."""
    if not len(shares) or not all(LEAST <= share <= 1 for share in shares):
        raise InputError(
            "share-of-documents-out-of-bounds",
            "shares is {shares}; give one or more numbers from {least} to 1",
            shares=", ".join(f"{share:g}" for share in shares) or "empty",
            least=f"{LEAST:g}",
        )


def refuse_explained(explained: Sequence[float]) -> None:
    """Raise `InputError` for a share of variance that predictions explain outside [0, 1]."""
    for share in explained:
        if not 0 <= share <= 1:
            raise InputError(
                "explained-out-of-bounds",
                "explained is {explained}; give numbers from 0 to 1",
                explained=str(share),
            )


def refuse_difference(difference: float) -> None:
    """Raise `InputError` unless the difference is finite and above 0."""
    if not (np.isfinite(difference) and difference > 0):
        raise InputError(
            "difference-out-of-bounds",
            "difference is {difference}; give a finite number above 0",
            difference=str(difference),
        )


def refuse_half_width(half_width: float) -> None:
    """Raise `InputError` unless the half-width is finite and above 0."""
    if not (np.isfinite(half_width) and half_width > 0):
        raise InputError(
            "half-width-out-of-bounds",
            "the half-width {width} is out of bounds; give a finite number above 0",
            width=str(half_width),
        )


def refuse_times(times: int) -> None:
    """Raise `InputError` for fewer than two simulated draws."""
    if times < 2:
        raise InputError(
            "too-few-simulated-draws", "times={times} is too small; give 2 or more draws", times=times
        )


def refuse_goals(
    *, tau: float | None, factor: float | None, margin: float | None, power: float | None
) -> None:
    """Raise `InputError` for a τ or a power outside (0, 1], a factor up to 1, or a margin up to 0."""
    for name, goal in (("tau", tau), ("power", power)):
        if goal is not None and not 0 < goal <= 1:
            raise InputError(
                "goal-out-of-bounds",
                "{name} {goal} is out of bounds; give a number above 0 and up to 1",
                name=name,
                goal=f"{goal:g}",
            )
    if factor is not None and not factor > 1:
        raise InputError(
            "factor-too-small",
            "the factor {factor} is too small; give a number above 1",
            factor=f"{factor:g}",
        )
    if margin is not None and not margin > 0:
        raise InputError(
            "margin-too-small",
            "the margin {margin} is too small; give a number above 0",
            margin=f"{margin:g}",
        )

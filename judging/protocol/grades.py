"""Known grades as gains: the levels N, M, R and H are 0, 1, 2 and 3, and other levels are numbers."""

from typing import Final

from judging.protocol.states import Grade

GAINS: Final = {Grade.N.value: 0.0, Grade.M.value: 1.0, Grade.R.value: 2.0, Grade.H.value: 3.0}
LETTERS: Final = {gain: letter for letter, gain in GAINS.items()}
LEVEL: Final = r"^([NMRH]|[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?)$"
"""The form of a level: a letter, or a number as `shown_gain` writes it."""
UNGRADED: Final = "U"
"""Shown instead of a grade for documents that have none."""


def gain_of(level: str) -> float:
    """Return the gain of a level: a letter, or a number of a set of grades with levels of its own."""
    return GAINS[level] if level in GAINS else float(level)


def level_of_number(text: str) -> str | None:
    """Return the level for a number as a file has it, or None for a number below 0, which is no grade.

    Different spellings of a number are one level. Raise `ValueError` if the text is not a finite number.
    """
    number = float(text)
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return None if number < 0 else shown_gain(number)


def shown_gain(gain: float | None) -> str:
    """Return a gain as a level that is a number, such as `2` or `0.5`; `U` for no gain."""
    return UNGRADED if gain is None else f"{gain:.12g}"


def shown_letter(gain: float | None) -> str:
    """Return the letter of a gain from 0 to 3; `U` for no gain."""
    return UNGRADED if gain is None else LETTERS[gain]

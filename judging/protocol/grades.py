"""Convert known grades to gains.

The levels N, M, R and H have the gains 0, 1, 2 and 3. Any other level is a number, which is its gain.
"""

from typing import Final

from judging.protocol.states import Grade

GAINS: Final = {Grade.N.value: 0.0, Grade.M.value: 1.0, Grade.R.value: 2.0, Grade.H.value: 3.0}
LETTERS: Final = {gain: letter for letter, gain in GAINS.items()}
LEVEL: Final = r"^([NMRH]|[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?)$"
"""The form of a level: a letter, or a number as `shown_gain` writes it."""
UNGRADED: Final = "U"
"""Shown for documents that have no grade."""


def gain_of(level: str) -> float:
    """Return the gain of a level. The level is one of the letters N, M, R and H, or a number."""
    return GAINS[level] if level in GAINS else float(level)


def level_of_number(text: str) -> str | None:
    """Return the level for a number in a file, or None if the number is below 0, which means “no grade”.

    Different spellings of a number, such as `1` and `1.0`, give the same level. Raise `ValueError` if the
    text is not a finite number.
    """
    number = float(text)
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return None if number < 0 else shown_gain(number)


def shown_gain(gain: float | None) -> str:
    """Return a gain as text, such as `2` or `0.5`. For None, return `U`."""
    return UNGRADED if gain is None else f"{gain:.12g}"


def shown_letter(gain: float | None) -> str:
    """Return the letter for a gain of 0, 1, 2 or 3. For None, return `U`."""
    return UNGRADED if gain is None else LETTERS[gain]

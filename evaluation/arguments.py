"""Checks of arguments that functions of several packages share."""

from math import isfinite

from .errors import InputError, shown


def refuse_level(level: float) -> None:
    """Raise `InputError` for a confidence level outside (0, 1)."""
    if not 0 < level < 1:
        raise InputError(
            "level-out-of-bounds",
            "level {level} is out of bounds; give a number between 0 and 1",
            level=str(level),
        )


def refuse_resamples(resamples: int) -> None:
    """Raise `InputError` for fewer than one resample."""
    if resamples < 1:
        raise InputError(
            "too-few-resamples", "resamples={resamples} is too small; give 1 or more", resamples=resamples
        )


def refuse_unless_count(name: str, number: object) -> None:
    """Raise `InputError` for anything but a whole number of 1 or more. `name` is the argument's name."""
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise InputError(
            "argument-not-a-count",
            "{argument}={number} is not a count; give a whole number of 1 or more",
            argument=name,
            number=shown(number),
        )


def refuse_amount(name: str, amount: float) -> None:
    """Raise `InputError` for an amount that is negative or not finite. `name` is the argument's name."""
    if not (isfinite(amount) and amount >= 0):
        raise InputError(
            "amount-out-of-bounds",
            "{argument} is {amount}; give a finite number that is at least 0",
            argument=name,
            amount=str(amount),
        )


def refuse_few_runs(number: int) -> None:
    """Raise `InputError` for fewer than two runs, which have no ranking."""
    if number < 2:
        raise InputError("too-few-runs", "too few runs to rank ({number}); give two or more", number=number)


def refuse_alpha(alpha: float) -> None:
    """Raise `InputError` unless the significance level is between 0 and 1."""
    if not 0 < alpha < 1:
        raise InputError(
            "alpha-out-of-bounds",
            "alpha {alpha} is out of bounds; give a number between 0 and 1",
            alpha=str(alpha),
        )

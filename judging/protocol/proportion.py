"""Confidence intervals for shares."""

from math import sqrt
from typing import Final

Z: Final = 1.96
"""The quantile of the normal distribution for a two-sided 95 % interval."""


def percent(share: float) -> str:
    """Return a share as a percentage, rounded to a whole number, such as "25 %"."""
    return f"{100 * share:.0f} %"


def lower_bound(count: int, total: int) -> float:
    """Return the lower end of Wilson's 95 % interval for the share `count` / `total`, or 0 if `total` is 0.

    It is (p + z²/2n − z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), where p is the share, n is the total and z is
    `Z`. Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (JASA 1927).
    Examples: .38 for 4 of 5, and .23 for 3 of 5. Raise ValueError unless 0 ≤ count ≤ total.
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is not a share: the count must be between 0 and the total.")
    if total == 0:
        return 0.0
    share, spread = count / total, Z * Z / total
    middle = share + spread / 2
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total))
    return max(0.0, (middle - half) / (1 + spread))

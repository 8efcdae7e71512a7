"""How large a share surely is, when few have been counted."""

from math import sqrt
from typing import Final

Z: Final = 1.96
"""The normal quantile of 95 % confidence, two-sided."""


def percent(share: float) -> str:
    """A share in whole percent, for people."""
    return f"{100 * share:.0f} %"


def surely(count: int, total: int) -> float:
    """The lower end of Wilson's 95 % interval for the share `count` / `total`; 0 where nothing was counted.

    (p + z²/2n − z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), from Wilson, "Probable Inference, the Law of
    Succession, and Statistical Inference" (JASA 1927). 4 of 5 are surely more than .37, 3 of 5 than .23.
    Raises ValueError unless 0 ≤ count ≤ total.
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share.")
    if total == 0:
        return 0.0
    share, spread = count / total, Z * Z / total
    middle = share + spread / 2
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total))
    return max(0.0, (middle - half) / (1 + spread))

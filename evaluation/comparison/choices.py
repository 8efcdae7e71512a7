"""Settings of a comparison, such as tests, intervals and limits."""

from dataclasses import dataclass

from ..conventions import RESAMPLES, Correction, Family, Interval
from ..options import checked


@checked
@dataclass(frozen=True)
class Choices:
    """The arguments of `compare`, except those that it passes to `score`."""

    baseline: str | None = None
    correction: Correction = "holm"
    tests: tuple[str, ...] = ("wilcoxon",)
    family: Family = "measure"
    alpha: float = 0.05
    interval: Interval = "t"
    level: float = 0.95
    resamples: int = RESAMPLES
    flips: int = 10_000
    seed: int = 0
    statistic: str = "tau_b"

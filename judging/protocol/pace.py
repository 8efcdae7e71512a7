"""Predict when a study will end if workers continue at the pace of the last few hours."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

WINDOW: Final = timedelta(hours=6)
LEAST: Final = timedelta(minutes=30)
"""The pace is measured only when this much time has passed since the first worker gave consent."""
FARTHEST: Final = timedelta(days=3650)


@dataclass(frozen=True)
class Pace:
    """The number of units done in a period. `span` is the length of the period, and `until` is its end."""

    done: int
    span: timedelta
    until: datetime

    @property
    def per_hour(self) -> float:
        return self.done / (self.span / timedelta(hours=1))

    def end(self, left: int) -> datetime | None:
        """Return when the remaining units will be done at this pace. `left` is their number.

        Return None if that takes ten years or more, or if no units were done in the period.
        """
        if not self.done:
            return None
        needed = self.span * (left / self.done) if left / self.done < 1e6 else FARTHEST
        return None if needed >= FARTHEST else self.until + needed


def window(*, first: datetime | None, now: datetime) -> timedelta | None:
    """Return the length of the period in which to measure the pace.

    The period begins at `first`, when the first worker gave consent, and ends at `now`. If it would be longer
    than `WINDOW`, it begins `WINDOW` before `now` instead. Return None if `first` is None or less than
    `LEAST` ago.
    """
    if first is None or now - first < LEAST:
        return None
    return min(WINDOW, now - first)

"""When a study is expected to end: what is left, at the pace of the hours just past."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

WINDOW: Final = timedelta(hours=6)
LEAST: Final = timedelta(minutes=30)
"""A younger study is not old enough to have a pace."""
FARTHEST: Final = timedelta(days=3650)


@dataclass(frozen=True)
class Pace:
    """`done` units within `span` before `until`."""

    done: int
    span: timedelta
    until: datetime

    @property
    def per_hour(self) -> float:
        return self.done / (self.span / timedelta(hours=1))

    def end(self, left: int) -> datetime | None:
        """When `left` more units will be done at this pace; None without a pace, or in ten years."""
        if not self.done:
            return None
        needed = self.span * (left / self.done) if left / self.done < 1e6 else FARTHEST
        return None if needed >= FARTHEST else self.until + needed


def window(*, first: datetime | None, now: datetime) -> timedelta | None:
    """How far back to look: `WINDOW`, or to the `first` unit begun where that is later. None: too early."""
    if first is None or now - first < LEAST:
        return None
    return min(WINDOW, now - first)

"""Failed checks over time, and the units in which workers went back to an earlier document."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from judging.core.published.units import UnitRow, listed
from judging.core.selectors.attempts import study_attempts
from judging.core.selectors.kinds import events_of
from judging.core.selectors.ordering import cut_first
from judging.models import Assignment, Study
from judging.protocol.checks import letter_of_event
from judging.protocol.states import AssignmentState
from judging.watching.selectors.live import Activity
from judging.watching.selectors.periods import count_in_periods, last_periods

MOST_PERIODS: Final = 48


@dataclass(frozen=True)
class Period:
    """An hour or a day in UTC, its number of failures for each check, and its number of completed units."""

    begins: datetime
    failures: Mapping[str, int] = field(default_factory=dict)
    completed: int = 0


def failures_over_time(study: Study, recent: Activity, *, by: str) -> list[Period]:
    """Return the periods with failures or completed units, the newest first.

    The list covers at most the last `MOST_PERIODS` hours or days up to `recent.until`. `by` is a key of
    `PERIODS`. This takes one query.
    """
    if recent.first is None:
        return []
    starts = last_periods(by, first=recent.first, until=recent.until, most=MOST_PERIODS)
    # By kind instead of check: the index starts with the kind, and each of these kinds belongs to one check.
    letters = letter_of_event()
    failed = [(events_of(study).filter(kind=kind), "at") for kind in letters]
    numbers = count_in_periods(starts, by, [(_completed(study), "ended_at"), *failed])
    return [
        Period(start, dict(_positive(letters.values(), failures)), completed)
        for start, (completed, *failures) in zip(starts, numbers, strict=True)
        if completed or any(failures)
    ]


def _positive(letters: Iterable[str], failures: Iterable[int]) -> Iterator[tuple[str, int]]:
    return ((letter, number) for letter, number in zip(letters, failures, strict=True) if number)


def used_back(study: Study) -> QuerySet[Assignment]:
    """Return the completed units in which the worker went back before the first attempt to finish."""
    return _completed(study).filter(back_uses__gt=0)


def back_rows(page: QuerySet[Assignment]) -> list[UnitRow]:
    """Return the units of a page, in the order of the page. This takes one query."""
    return listed(cut_first(page))


def _completed(study: Study) -> QuerySet[Assignment]:
    return study_attempts(study).filter(state=AssignmentState.COMPLETED.value, ended_at__isnull=False)

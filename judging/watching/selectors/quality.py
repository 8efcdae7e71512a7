"""Failed checks over time, and the units in which workers went back to an earlier document."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Count, QuerySet

from judging.core.published.units import UnitRow, listed
from judging.core.selectors.attempts import study_attempts
from judging.core.selectors.ordering import cut_first
from judging.models import Assignment, Event, Study
from judging.protocol.checks import letter_of_event
from judging.protocol.states import AssignmentState
from judging.watching.selectors.periods import DAY, HOUR, PeriodOf, begins

PERIODS: Final = (HOUR, DAY)
MOST_PERIODS: Final = 48


@dataclass(frozen=True)
class Period:
    """An hour or a day in UTC, with the number of failures of each check and of completed units."""

    begins: datetime
    failures: Mapping[str, int] = field(default_factory=dict)
    completed: int = 0


def failures_over_time(study: Study, *, by: str) -> list[Period]:
    """Return the last `MOST_PERIODS` periods with failures or completed units, the newest first.

    `by` is one of `PERIODS`. This takes two queries.
    """
    failed: dict[str, Counter[str]] = {}
    letters = letter_of_event()
    events = Event.objects.filter(study=study, kind__in=letters).order_by()
    # Grouped by kind instead of check: kind has an index, and each of these kinds belongs to one check.
    rows = events.annotate(period=PeriodOf("at", period=by)).values_list("period", "kind")
    for period, kind, number in rows.annotate(number=Count("pk")):
        failed.setdefault(period, Counter())[letters[kind]] += number
    by_period = _completed(study).annotate(period=PeriodOf("ended_at", period=by)).values_list("period")
    completed = dict(by_period.annotate(number=Count("pk")))
    latest = sorted({*failed, *completed}, reverse=True)[:MOST_PERIODS]
    return [
        Period(begins(period, by), failed.get(period, Counter()), completed.get(period, 0))
        for period in latest
    ]


def used_back(study: Study) -> QuerySet[Assignment]:
    """Return the completed units in which the worker went back before the first attempt to finish."""
    return _completed(study).filter(back_uses__gt=0)


def back_rows(page: QuerySet[Assignment]) -> list[UnitRow]:
    """Return the units of a page, in the order of the page. This takes one query."""
    return listed(cut_first(page))


def _completed(study: Study) -> QuerySet[Assignment]:
    return study_attempts(study).filter(state=AssignmentState.COMPLETED.value, ended_at__isnull=False)

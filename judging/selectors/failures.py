"""Failures of each check over time, and the units whose workers went back."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Count, QuerySet

from judging.models import Assignment, Event, Study
from judging.models.fields import values
from judging.protocol.states import AssignmentState
from judging.selectors.periods import DAY, HOUR, PeriodOf, begins
from judging.selectors.worker_list import FAILED_CHECKS

PERIODS: Final = (HOUR, DAY)
MOST_PERIODS: Final = 48


@dataclass(frozen=True)
class Period:
    """An hour or a day in UTC. `failures`: check → how often it failed; `completed`: units."""

    begins: datetime
    failures: Mapping[str, int] = field(default_factory=dict)
    completed: int = 0


def failures_over_time(study: Study, *, by: str) -> list[Period]:
    """The last `MOST_PERIODS` periods in which anything happened, the latest first; in two queries.

    `by` is one of `PERIODS`.
    """
    failed: dict[str, Counter[str]] = {}
    events = Event.objects.filter(study=study, kind__in=values(FAILED_CHECKS)).order_by()
    rows = events.annotate(period=PeriodOf("at", period=by)).values_list("period", "check_name")
    for period, check, number in rows.annotate(number=Count("pk")):
        failed.setdefault(period, Counter())[check] += number
    ended = Assignment.objects.filter(topic__study=study, state=AssignmentState.COMPLETED.value).order_by()
    by_period = ended.annotate(period=PeriodOf("ended_at", period=by)).values_list("period")
    completed = dict(by_period.annotate(number=Count("pk")))
    latest = sorted({*failed, *completed}, reverse=True)[:MOST_PERIODS]
    return [
        Period(begins(period, by), failed.get(period, Counter()), completed.get(period, 0))
        for period in latest
    ]


def used_back(study: Study) -> QuerySet[Assignment]:
    """Completed units whose worker went back before the first finish, the most often first."""
    completed = Assignment.objects.filter(topic__study=study, state=AssignmentState.COMPLETED.value)
    return completed.filter(back_uses__gt=0).order_by("-back_uses", "-ended_at", "pk")

"""Failures of each check over time, and the units whose workers went back."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDay, TruncHour

from judging.models import Assignment, Event, Study
from judging.models.fields import values
from judging.protocol.states import AssignmentState
from judging.selectors.worker_list import FAILED_CHECKS

PERIODS: Final = {"hour": TruncHour, "day": TruncDay}
MOST_PERIODS: Final = 48


@dataclass(frozen=True)
class Period:
    """An hour or a day in UTC. `failures`: check → how often it failed; `completed`: units."""

    begins: datetime
    failures: Mapping[str, int] = field(default_factory=dict)
    completed: int = 0


def failures_over_time(study: Study, *, by: str) -> list[Period]:
    """The last `MOST_PERIODS` periods in which anything happened, the latest first; in two queries.

    `by` is a key of `PERIODS`.
    """
    period = PERIODS[by]
    failed: dict[datetime, Counter[str]] = {}
    events = Event.objects.filter(study=study, kind__in=values(FAILED_CHECKS)).order_by()
    rows = events.annotate(period=period("at")).values_list("period", "check_name")
    for begins, check, number in rows.annotate(number=Count("pk")):
        failed.setdefault(begins, Counter())[check] += number
    ended = Assignment.objects.filter(topic__study=study, state=AssignmentState.COMPLETED.value).order_by()
    completed = dict(
        ended.annotate(period=period("ended_at")).values_list("period").annotate(number=Count("pk"))
    )
    latest = sorted({*failed, *completed}, reverse=True)[:MOST_PERIODS]
    return [Period(begins, failed.get(begins, Counter()), completed.get(begins, 0)) for begins in latest]


def used_back(study: Study) -> QuerySet[Assignment]:
    """Completed units whose worker went back before the first finish, the most often first."""
    completed = Assignment.objects.filter(topic__study=study, state=AssignmentState.COMPLETED.value)
    return completed.filter(back_uses__gt=0).order_by("-back_uses", "-ended_at", "pk")

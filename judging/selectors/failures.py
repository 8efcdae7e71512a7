"""Failures of each check over time, and the units whose workers went back."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, QuerySet

from judging.models import Assignment, Event, EventKind, Study
from judging.models.fields import values
from judging.protocol.states import AssignmentState
from judging.selectors.attempts import study_attempts
from judging.selectors.ordering import by_columns, place_of_topic
from judging.selectors.periods import DAY, HOUR, PeriodOf, begins
from judging.selectors.published.units import UnitRow, listed
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
    # By kind, which the index has, and not by check: each kind that counts belongs to one.
    rows = events.annotate(period=PeriodOf("at", period=by)).values_list("period", "kind")
    for period, kind, number in rows.annotate(number=Count("pk")):
        failed.setdefault(period, Counter())[FAILED_CHECKS[EventKind(kind)]] += number
    by_period = _completed(study).annotate(period=PeriodOf("ended_at", period=by)).values_list("period")
    completed = dict(by_period.annotate(number=Count("pk")))
    latest = sorted({*failed, *completed}, reverse=True)[:MOST_PERIODS]
    return [
        Period(begins(period, by), failed.get(period, Counter()), completed.get(period, 0))
        for period in latest
    ]


BACK_BY: Final[dict[str, Callable[[Study], list[Any]]]] = {
    "unit": lambda study: [place_of_topic(study), "unit__number"],
    "worker": lambda study: ["participation__pseudonym"],
    "back": lambda study: ["back_uses"],
    "revisions": lambda study: ["revisions"],
    "c": lambda study: ["failed_c"],
    "d": lambda study: ["failed_d"],
    "ended": lambda study: ["ended_at"],
}
"""What such units may be sorted by; equal ones follow each other the latest first."""


def used_back(study: Study, *, sort: str = "back", descending: bool = True) -> QuerySet[Assignment]:
    """Completed units whose worker went back before the first finish, sorted by a key of `BACK_BY`."""
    order = by_columns(BACK_BY[sort](study), descending=descending)
    return _completed(study).filter(back_uses__gt=0).order_by(*order, "-ended_at", "pk")


def back_rows(found: QuerySet[Assignment], start: int, stop: int) -> list[UnitRow]:
    """Some of these units in their order, from place `start` up to `stop`; in one query."""
    # The page is cut first: else every unit that used back would be read whole, and its worker with it.
    page = Assignment.objects.filter(pk__in=found.values("pk")[start:stop])
    return listed(page.order_by(*found.query.order_by))


def _completed(study: Study) -> QuerySet[Assignment]:
    return study_attempts(study).filter(state=AssignmentState.COMPLETED.value, ended_at__isnull=False)

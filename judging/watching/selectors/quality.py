"""Failures of each check over time, and the units whose workers went back."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Count, QuerySet

from judging.core.published.units import UnitRow, listed
from judging.core.selectors.attempts import failures, study_attempts
from judging.core.selectors.ordering import Sortable, by_columns, place_of_topic
from judging.models import Assignment, Event, Study
from judging.protocol.checks import letter_of_event, unit_checks
from judging.protocol.states import AssignmentState
from judging.watching.selectors.periods import DAY, HOUR, PeriodOf, begins

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
    letters = letter_of_event()
    events = Event.objects.filter(study=study, kind__in=letters).order_by()
    # By kind, which the index has, and not by check: each kind that counts belongs to one.
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


def back_sorts(study: Study) -> dict[str, list[Sortable]]:
    """Return what units that used back may be sorted by; equal ones follow each other the latest first."""
    return {
        "unit": [place_of_topic(study), "unit__number"],
        "worker": ["participation__pseudonym"],
        "back": ["back_uses"],
        "revisions": ["revisions"],
        **{check.letter: [failures(check.letter)] for check in unit_checks()},
        "ended": ["ended_at"],
    }


def used_back(study: Study, *, sort: str = "back", descending: bool = True) -> QuerySet[Assignment]:
    """Completed units whose worker went back before the first finish, sorted by a key of `back_sorts`."""
    order = by_columns(back_sorts(study)[sort], descending=descending)
    return _completed(study).filter(back_uses__gt=0).order_by(*order, "-ended_at", "pk")


def back_rows(found: QuerySet[Assignment], start: int, stop: int) -> list[UnitRow]:
    """Some of these units in their order, from place `start` up to `stop`; in one query."""
    # The page is cut first: else every unit that used back would be read whole, and its worker with it.
    page = Assignment.objects.filter(pk__in=found.values("pk")[start:stop])
    return listed(page.order_by(*found.query.order_by))


def _completed(study: Study) -> QuerySet[Assignment]:
    return study_attempts(study).filter(state=AssignmentState.COMPLETED.value, ended_at__isnull=False)

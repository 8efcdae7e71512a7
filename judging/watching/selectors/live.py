"""How a study goes at this moment: units hour by hour, who holds what, and when it will be done."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Max, Min, QuerySet

from judging.core.selectors.attempts import study_attempts
from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.pace import Pace, window
from judging.protocol.states import LIVE, AssignmentState
from judging.watching.selectors.periods import HOUR, PeriodOf, begins

HOURS: Final = 24
_HOUR: Final = timedelta(hours=1)
_COMPLETED: Final = AssignmentState.COMPLETED.value


@dataclass(frozen=True)
class Hour:
    """Attempts at units that were begun in an hour, and how many ended in it, by how."""

    begins: datetime
    begun: int = 0
    completed: int = 0
    lapsed: int = 0
    failed: int = 0
    other: int = 0


@dataclass(frozen=True)
class Activity:
    """When the first unit was begun, and the moment that the last hours are counted from.

    That is now; or, where nothing has happened for a day and where the clock of a simulated crowd counts, the
    moment of the last thing that happened.
    """

    first: datetime | None
    until: datetime
    past: bool


def activity(study: Study, *, now: datetime) -> Activity:
    """In one query."""
    found = study_attempts(study).aggregate(
        first=Min("started_at"), begun=Max("started_at"), ended=Max("ended_at")
    )
    last = max((moment for moment in (found["begun"], found["ended"]) if moment), default=None)
    past = last is not None and (study.simulated or last < now - HOURS * _HOUR)
    return Activity(found["first"], last if past and last else now, past)


def pace(study: Study, of: Activity) -> Pace | None:
    """How quickly units are completed, in one query; None where it is too early to tell."""
    span = window(first=of.first, now=of.until)
    if span is None:
        return None
    completed = study_attempts(study).filter(
        state=_COMPLETED, ended_at__gt=of.until - span, ended_at__lte=of.until
    )
    return Pace(completed.count(), span, of.until)


def hours(study: Study, of: Activity) -> list[Hour]:
    """The last `HOURS` hours, the latest first, those without anything too; in two queries.

    What was begun in these hours has ended in them, or is live.
    """
    latest = of.until.replace(minute=0, second=0, microsecond=0)
    first = latest - (HOURS - 1) * _HOUR
    counts: dict[datetime, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    attempts = study_attempts(study)
    live = attempts.filter(state__in=values(LIVE)).annotate(begun=PeriodOf("started_at", period=HOUR))
    for begun, number in live.values_list("begun").annotate(number=Count("pk")):
        counts[begins(begun, HOUR)]["begun"] += number
    ended = attempts.filter(ended_at__gte=first).annotate(
        begun=PeriodOf("started_at", period=HOUR), hour=PeriodOf("ended_at", period=HOUR)
    )
    for begun, hour, state, number in ended.values_list("begun", "hour", "state").annotate(
        number=Count("pk")
    ):
        if begun is not None:  # None: it came in a file
            counts[begins(begun, HOUR)]["begun"] += number
        counts[begins(hour, HOUR)][_COLUMNS.get(state, "other")] += number
    return [Hour(hour, **counts[hour]) for hour in (latest - place * _HOUR for place in range(HOURS))]


_COLUMNS: Final = {
    AssignmentState.COMPLETED.value: "completed",
    AssignmentState.LAPSED.value: "lapsed",
    AssignmentState.COMPREHENSION_FAILED.value: "failed",
    AssignmentState.CHECKS_FAILED.value: "failed",
}


def reservations(study: Study) -> QuerySet[Assignment]:
    """The attempts that somebody is at, with unit and worker."""
    live = Assignment.objects.filter(topic__study=study, state__in=values(LIVE), started_at__isnull=False)
    found = live.select_related("topic", "unit", "participation")
    return found.defer("option_order", "topic__description", "topic__narrative")

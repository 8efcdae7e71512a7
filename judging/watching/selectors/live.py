"""The current progress of a study: units per hour, reservations, and the pace."""

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
    """The attempts of one hour: how many began, and how many ended in each way."""

    begins: datetime
    begun: int = 0
    completed: int = 0
    lapsed: int = 0
    failed: int = 0
    other: int = 0


@dataclass(frozen=True)
class Activity:
    """When the study's first unit began, and the moment `until` that counts as the present.

    Normally, `until` is the current time. If nothing has happened for a day, `until` is the time of the last
    event, and `past` is true. The same holds if the workers are simulated, as they have a clock of their own.
    """

    first: datetime | None
    until: datetime
    past: bool


def activity(study: Study, *, now: datetime) -> Activity:
    """Return the activity of a study. This takes one query."""
    moments = study_attempts(study).aggregate(
        first=Min("started_at"), begun=Max("started_at"), ended=Max("ended_at")
    )
    last = max((moment for moment in (moments["begun"], moments["ended"]) if moment), default=None)
    past = last is not None and (study.simulated or last < now - HOURS * _HOUR)
    return Activity(moments["first"], last if past and last else now, past)


def pace(study: Study, recent: Activity) -> Pace | None:
    """Return how quickly workers complete units, or None if it is too early for an estimate.

    This takes one query.
    """
    span = window(first=recent.first, now=recent.until)
    if span is None:
        return None
    completed = study_attempts(study).filter(
        state=_COMPLETED, ended_at__gt=recent.until - span, ended_at__lte=recent.until
    )
    return Pace(completed.count(), span, recent.until)


def hours(study: Study, recent: Activity) -> list[Hour]:
    """Return the last `HOURS` hours, the newest first, including empty ones. This takes two queries."""
    # The two queries find every attempt that began in these hours: it has either ended in them or is live.
    latest = recent.until.replace(minute=0, second=0, microsecond=0)
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
        if begun is not None:  # Attempts from a file have no start.
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
    """Return the live attempts with their units and workers."""
    live = Assignment.objects.filter(topic__study=study, state__in=values(LIVE), started_at__isnull=False)
    attempts = live.select_related("topic", "unit", "participation")
    return attempts.defer("option_order", "topic__description", "topic__narrative")

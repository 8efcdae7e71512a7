"""The current progress of a study: its latest activity, the reservations, and the pace."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max, Min, QuerySet

from judging.core.selectors.attempts import study_attempts
from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.pace import Pace, window
from judging.protocol.states import LIVE, AssignmentState

_DAY: Final = timedelta(days=1)
_COMPLETED: Final = AssignmentState.COMPLETED.value


@dataclass(frozen=True)
class Activity:
    """The start of the study's first unit, and the moment `until`, which pages treat as the present.

    Normally, `until` is the current time. If nothing has happened for a day, `until` is the time of the last
    event, and `past` is true. The same holds if the workers are simulated, because their clock is different.
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
    past = last is not None and (study.simulated or last < now - _DAY)
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


def reservations(study: Study) -> QuerySet[Assignment]:
    """Return the live attempts with their units and workers."""
    live = Assignment.objects.filter(topic__study=study, state__in=values(LIVE), started_at__isnull=False)
    attempts = live.select_related("topic", "unit", "participation")
    return attempts.defer("option_order", "topic__description", "topic__narrative")

"""The current progress of a study: its latest activity, the reservations, and the pace."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import OuterRef, QuerySet, Subquery

from judging.core.selectors.attempts import study_attempts
from judging.core.selectors.kinds import attempts_of, by_counted, events_of, workers_of
from judging.models import Assignment, Study, Topic
from judging.models.fields import values
from judging.protocol.pace import Pace, window
from judging.protocol.states import LIVE, AssignmentState

_DAY: Final = timedelta(days=1)
_COMPLETED: Final = AssignmentState.COMPLETED.value


@dataclass(frozen=True)
class Activity:
    """The moment when the first worker started, and the moment `until`, which pages treat as the present.

    Normally, `until` is the current time. If nothing has happened for a day, `until` is the time of the last
    event, and `past` is true. The same holds if the workers are simulated, because their clock is different.
    """

    first: datetime | None
    until: datetime
    past: bool


def activity(study: Study, *, now: datetime) -> Activity:
    """Return the activity of a study. This takes one query, which reads only the ends of indexes."""
    topics = Topic.objects.filter(study=OuterRef("pk")).order_by()
    completed = Assignment.objects.filter(
        by_counted(study), topic=OuterRef("pk"), state=_COMPLETED, ended_at__isnull=False
    )
    live = attempts_of(study).filter(state__in=values(LIVE))
    latest_by_topic = topics.annotate(completed_at=_latest(completed, "ended_at")).filter(
        completed_at__isnull=False
    )
    first, *moments = Study.objects.values_list(
        Subquery(workers_of(study).order_by("consented_at").values("consented_at")[:1]),
        _latest(latest_by_topic, "completed_at"),
        _latest(live.filter(started_at__isnull=False), "started_at"),
        _latest(events_of(study), "at"),
    ).get(pk=study.pk)
    last = max((moment for moment in moments if moment), default=None)
    past = last is not None and (study.simulated or last < now - _DAY)
    return Activity(first, last if past and last else now, past)


def _latest(rows: QuerySet[Any], column: str) -> Subquery:
    return Subquery(rows.order_by(f"-{column}").values(column)[:1])


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
    live = attempts_of(study).filter(state__in=values(LIVE), started_at__isnull=False)
    attempts = live.select_related("topic", "unit", "participation")
    return attempts.defer("option_order", "topic__description", "topic__narrative")

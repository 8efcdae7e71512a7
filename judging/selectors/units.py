"""Reads about units and the work that is left."""

from datetime import datetime

from django.db.models import Count, Q, QuerySet

from judging.models import Participation, Study, Topic, Unit
from judging.protocol.states import LIVE, StudyState, UnitState, takes_work


def study_takes_work(study: Study, *, now: datetime) -> bool:
    """Whether units of the study may be reserved at this time."""
    return takes_work(StudyState(study.state), opens_at=study.opens_at, closes_at=study.closes_at, now=now)


def units_left_by_topic(participation: Participation) -> dict[int, int]:
    """Topic → number of open units, for the topics that this worker has not had, in the study's order."""
    return dict(
        Unit.objects.filter(
            topic__study_id=participation.study_id, topic__retired_at__isnull=True, state=UnitState.OPEN
        )
        .exclude(topic__assignments__participation=participation)
        .order_by("topic__place")
        .values_list("topic")
        .annotate(left=Count("id"))
    )


def work_is_left(participation: Participation, *, now: datetime) -> bool:
    """Whether a reservation would find a unit for this worker."""
    had = Topic.objects.filter(assignments__participation=participation)
    return study_has_work(participation.study, now=now, without=had)


def study_has_work(study: Study, *, now: datetime, without: QuerySet[Topic] | None = None) -> bool:
    """Whether a unit is open, or held by somebody whose time is over; topics in `without` do not count."""
    if not study_takes_work(study, now=now):
        return False
    topics = Topic.objects.filter(study=study, retired_at__isnull=True)
    if without is not None:
        topics = topics.exclude(pk__in=without)
    free = Q(units__state=UnitState.OPEN)
    overdue = Q(units__assignments__state__in=LIVE, units__assignments__lapses_at__lte=now)
    return topics.filter(free | overdue).exists()

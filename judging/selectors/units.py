"""Reads about units and the work that is left."""

from datetime import datetime

from django.db.models import Count

from judging.models import Assignment, Participation, Unit
from judging.protocol.states import LIVE, StudyState, UnitState, takes_work


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
    """Whether a reservation would find a unit: one is open, or held by somebody whose time is over."""
    study = participation.study
    if not takes_work(StudyState(study.state), opens_at=study.opens_at, closes_at=study.closes_at, now=now):
        return False
    if units_left_by_topic(participation):
        return True
    overdue = Assignment.objects.filter(
        participation__study=study, state__in=LIVE, lapses_at__lte=now, topic__retired_at__isnull=True
    )
    return overdue.exclude(topic__assignments__participation=participation).exists()

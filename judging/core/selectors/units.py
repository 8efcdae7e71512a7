"""Reads about units and the work that is left."""

from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, Exists, OuterRef, QuerySet

from judging.core.statements import Prepared
from judging.models import Assignment, Participation, Study, Topic, Unit
from judging.models.fields import values
from judging.protocol.states import LIVE, StudyState, UnitState, takes_work

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Left(TypedDict):
        left: int


def _topics_with_work(study: int, now: datetime) -> QuerySet[Topic]:
    """Those that are not retired, with a unit that is open, or held by somebody whose time is over."""
    of_topic = OuterRef("pk")
    free = Unit.objects.filter(topic=of_topic, state=UnitState.OPEN.value)
    overdue = Assignment.objects.filter(topic=of_topic, state__in=values(LIVE), lapses_at__lte=now)
    return Topic.objects.filter(
        Exists(free) | Exists(overdue), study_id=study, retired_at__isnull=True
    ).order_by()


def _had(worker: int) -> QuerySet[Topic]:
    """The topics of which a worker has had a unit; none comes again."""
    return Topic.objects.filter(assignments__participation_id=worker).order_by()


_STATE = Prepared(lambda study: Study.with_hidden.filter(pk=study).only("state"), study=int)
_TOPIC_WITH_WORK = Prepared(lambda study, now: _topics_with_work(study, now)[:1], study=int, now=datetime)
_TOPIC_LEFT = Prepared(
    lambda study, worker, now: _topics_with_work(study, now).exclude(pk__in=_had(worker))[:1],
    study=int,
    worker=int,
    now=datetime,
)


_UNITS_LEFT: "Prepared[WithAnnotations[Topic, _Left]]" = Prepared(
    lambda study, worker: (
        Topic.objects.filter(study_id=study, retired_at__isnull=True, units__state=UnitState.OPEN.value)
        .exclude(pk__in=_had(worker))
        .only("pk")
        .annotate(left=Count("units"))
        .order_by("place")
    ),
    study=int,
    worker=int,
)


def study_state(study: Study) -> str:
    """The state of a study that is there, as it is now."""
    current = _STATE.first(study=study.pk)
    assert current is not None
    return current.state


def study_takes_work(study: Study, *, now: datetime) -> bool:
    """Whether units of the study may be reserved at this time."""
    return takes_work(StudyState(study.state), opens_at=study.opens_at, closes_at=study.closes_at, now=now)


def units_left_by_topic(participation: Participation) -> dict[int, int]:
    """Topic → number of open units, for the topics that this worker has not had, in the study's order."""
    topics = _UNITS_LEFT.all(study=participation.study_id, worker=participation.pk)
    return {topic.pk: topic.left for topic in topics}


def work_is_left(participation: Participation, *, now: datetime) -> bool:
    """Whether a reservation would find a unit for this worker."""
    study = participation.study
    if not study_takes_work(study, now=now):
        return False
    return _TOPIC_LEFT.first(study=study.pk, worker=participation.pk, now=now) is not None


def had_every_topic(participation: Participation) -> bool:
    """Return whether no topic of the study can come to this worker any more: each comes once."""
    topics = Topic.objects.filter(study=participation.study_id, retired_at__isnull=True)
    return not topics.exclude(pk__in=_had(participation.pk)).exists()


def study_has_work(study: Study, *, now: datetime) -> bool:
    """Whether a unit is open, or held by somebody whose time is over."""
    return study_takes_work(study, now=now) and _TOPIC_WITH_WORK.first(study=study.pk, now=now) is not None

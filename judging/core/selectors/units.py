"""Queries about units and the remaining work."""

from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, Exists, Max, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from judging.core.selectors.payments import DECIDED, has_money_for_a_unit
from judging.core.statements import Prepared
from judging.models import Assignment, Participation, PlatformSubmission, Study, Topic, Unit
from judging.models.fields import values
from judging.models.participation import Gate
from judging.protocol.states import LIVE, AssignmentState, StudyState, UnitState, takes_work

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Left(TypedDict):
        left: int


def _topics_with_work(study: int, now: datetime) -> QuerySet[Topic]:
    """Return the topics with an open unit or an expired assignment, except retired topics."""
    of_topic = OuterRef("pk")
    free = Unit.objects.filter(topic=of_topic, state=UnitState.OPEN.value)
    overdue = Assignment.objects.filter(topic=of_topic, state__in=values(LIVE), lapses_at__lte=now)
    return Topic.objects.filter(
        Exists(free) | Exists(overdue), study_id=study, retired_at__isnull=True
    ).order_by()


def _topics_of(worker: int) -> QuerySet[Topic]:
    """Return the topics that were assigned to a worker. The worker cannot get them again."""
    return Topic.objects.filter(assignments__participation_id=worker).order_by()


_STATE = Prepared(lambda study: Study.with_hidden.filter(pk=study).only("state"), study=int)
_TOPIC_WITH_WORK = Prepared(lambda study, now: _topics_with_work(study, now)[:1], study=int, now=datetime)
_TOPIC_LEFT = Prepared(
    lambda study, worker, now: _topics_with_work(study, now).exclude(pk__in=_topics_of(worker))[:1],
    study=int,
    worker=int,
    now=datetime,
)


_UNITS_LEFT: "Prepared[WithAnnotations[Topic, _Left]]" = Prepared(
    lambda study, worker: (
        Topic.objects.filter(study_id=study, retired_at__isnull=True, units__state=UnitState.OPEN.value)
        .exclude(pk__in=_topics_of(worker))
        .only("pk")
        .annotate(left=Count("units"))
        .order_by("place")
    ),
    study=int,
    worker=int,
)


def study_state(study: Study) -> str:
    """Read the current state of a study from the database, and return it."""
    current = _STATE.first(study=study.pk)
    assert current is not None
    return current.state


def study_takes_work(study: Study, *, now: datetime) -> bool:
    """Return whether the study's state and dates let workers reserve units now."""
    return takes_work(StudyState(study.state), opens_at=study.opens_at, closes_at=study.closes_at, now=now)


def reached_limit(participation: Participation) -> str:
    """Return what stops a worker from getting another unit: "record", "money", "worker" or "visit", or "".

    With "record", the worker's record looks like guessing, and a researcher has not looked at it yet. With
    "money", another unit could exceed the study's spending limit.

    A visit begins when the worker arrives from the platform with a new submission id. A unit belongs to the
    visit in which the worker completes it. The limit for a worker counts every unit that the study pays for,
    also those that were not completed.
    """
    study = participation.study
    if participation.gate == Gate.CLOSED:
        return "record"
    if not has_money_for_a_unit(study):
        return "money"
    if study.max_units_per_worker is None and study.max_units_per_visit is None:
        return ""
    if study.max_units_per_worker is not None:
        paid = participation.assignments.filter(DECIDED)
        if paid.count() >= study.max_units_per_worker:
            return "worker"
    done = participation.assignments.filter(state=AssignmentState.COMPLETED.value)
    if study.max_units_per_visit is not None:
        submissions = PlatformSubmission.objects.filter(identity__participation=participation)
        first_linked = Coalesce("first_linked_at", "linked_at")
        if began_at := submissions.aggregate(latest=Max(first_linked))["latest"]:
            done = done.filter(ended_at__gte=began_at)
        if done.count() >= study.max_units_per_visit:
            return "visit"
    return ""


def units_left_by_topic(participation: Participation) -> dict[int, int]:
    """Return a dict from topic key to the number of open units, for topics that are new to the worker.

    Leave out topics without open units. The topics are in the study's order.
    """
    topics = _UNITS_LEFT.all(study=participation.study_id, worker=participation.pk)
    return {topic.pk: topic.left for topic in topics}


def work_is_left(participation: Participation, *, now: datetime) -> bool:
    """Return whether the worker can reserve a unit now."""
    study = participation.study
    if not study_takes_work(study, now=now) or reached_limit(participation):
        return False
    return _TOPIC_LEFT.first(study=study.pk, worker=participation.pk, now=now) is not None


def had_every_topic(participation: Participation) -> bool:
    """Return whether every topic of the study, apart from retired topics, has been assigned to the worker.

    A worker gets each topic only once.
    """
    topics = Topic.objects.filter(study=participation.study_id, retired_at__isnull=True)
    return not topics.exclude(pk__in=_topics_of(participation.pk)).exists()


def study_has_work(study: Study, *, now: datetime) -> bool:
    """Return whether any worker could reserve a unit of the study now."""
    if not study_takes_work(study, now=now) or not has_money_for_a_unit(study):
        return False
    return _TOPIC_WITH_WORK.first(study=study.pk, now=now) is not None

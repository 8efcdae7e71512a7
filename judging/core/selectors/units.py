"""Queries about units and the remaining work."""

from datetime import datetime
from typing import Literal

from django.db.models import Count, Exists, Max, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from judging.core.selectors.adaptive import adaptation_of
from judging.core.selectors.kinds import kinds_with_pay, planned_kind
from judging.core.selectors.payments import DECIDED, has_money_for_a_unit
from judging.models import Assignment, Participation, PlatformSubmission, Study, Topic, Unit
from judging.models.fields import values
from judging.models.participation import Gate
from judging.protocol.states import FINAL, LIVE, AssignmentState, NoWork, StudyState, UnitState, why_shut


def _topics_with_work(study: Study, kind: str, now: datetime) -> QuerySet[Topic]:
    """Return the topics with an open unit or an expired assignment, except retired topics.

    Judges of a kind can reserve only units of this kind.
    """
    of_topic = OuterRef("pk")
    free = Unit.objects.filter(topic=of_topic, kind=kind, state=UnitState.OPEN)
    overdue = Assignment.objects.filter(topic=of_topic, unit__kind=kind, state__in=LIVE, lapses_at__lte=now)
    return Topic.objects.filter(Exists(free) | Exists(overdue), study=study, retired_at__isnull=True)


def _topics_of(participation: Participation) -> QuerySet[Topic]:
    """Return the topics that were assigned to a worker. The worker cannot get them again."""
    return Topic.objects.filter(assignments__participation=participation).order_by()


def study_state(study: Study) -> str:
    """Read the current state of a study from the database, and return it."""
    return Study.with_hidden.values_list("state", flat=True).get(pk=study.pk)


def study_takes_work(study: Study, *, now: datetime) -> bool:
    """Return whether the study's state and dates let workers reserve units now."""
    return _why_shut(study, now) is None


def _why_shut(study: Study, now: datetime) -> NoWork | None:
    return why_shut(StudyState(study.state), opens_at=study.opens_at, closes_at=study.closes_at, now=now)


def reached_limit(
    participation: Participation, *, claim: str = ""
) -> Literal["", NoWork.WORKER, NoWork.RECORD, NoWork.MONEY, NoWork.VISIT]:
    """Return the limit that stops a worker from getting another unit, or "".

    A visit begins when the worker arrives from the platform with a new submission id. A unit belongs to the
    visit in which the worker completes it. `claim` is the claim of the worker's browser: the limit for a
    visit counts only the units of this browser. The limit for a worker counts every unit that the study pays
    for, also those that were not completed.
    """
    study = participation.study
    if study.max_units_per_worker is not None:
        paid = participation.assignments.filter(DECIDED)
        if paid.count() >= study.max_units_per_worker:
            return NoWork.WORKER
    if participation.gate == Gate.CLOSED:
        return NoWork.RECORD
    if participation.earns and not has_money_for_a_unit(study):
        return NoWork.MONEY
    done = participation.assignments.filter(state=AssignmentState.COMPLETED.value, claim=claim)
    if study.max_units_per_visit is not None:
        submissions = PlatformSubmission.objects.filter(identity__participation=participation, claim=claim)
        first_linked = Coalesce("first_linked_at", "linked_at")
        if began_at := submissions.aggregate(latest=Max(first_linked))["latest"]:
            done = done.filter(ended_at__gte=began_at)
        if done.count() >= study.max_units_per_visit:
            return NoWork.VISIT
    return ""


def units_left_by_topic(participation: Participation) -> dict[int, int]:
    """Return a dict from topic key to the number of open units, for topics that are new to the worker.

    Leave out topics without open units. The topics are in the study's order.
    """
    return dict(
        Topic.objects.filter(
            study_id=participation.study_id,
            retired_at__isnull=True,
            units__kind=participation.kind,
            units__state=UnitState.OPEN,
        )
        .exclude(pk__in=_topics_of(participation))
        .annotate(left=Count("units"))
        .order_by("place")
        .values_list("pk", "left")
    )


def no_work_for(participation: Participation, *, now: datetime, claim: str = "") -> NoWork | None:
    """Return why a worker cannot get another unit now, or None if the worker can.

    `claim` is the claim of the worker's browser.

    If there are several reasons, a reason that stays goes before one that passes.
    """
    study, kind, had = participation.study, participation.kind, _topics_of(participation)
    shut = _why_shut(study, now)
    limit = reached_limit(participation, claim=claim)
    if not shut and not limit and _topics_with_work(study, kind, now).exclude(pk__in=had).exists():
        return None
    if shut in FINAL:
        return shut
    if limit == NoWork.WORKER:
        return NoWork.WORKER
    new = Topic.objects.filter(study=study, retired_at__isnull=True).exclude(pk__in=had)
    if not new.exists() and study.topics.exists():
        return NoWork.PREVIEW_OVER if study.preview_of_id else NoWork.EVERY_TOPIC
    return _why_none(study, new, kind, shut or limit or None)


def no_work_in(study: Study, *, now: datetime, kind: str = "") -> NoWork | None:
    """Return why nobody who is new to the study could get a unit now, or None if somebody could.

    `kind` is a kind of judge; "" stands for the kind that the study's units are planned for.
    """
    kind = kind or planned_kind(study)
    has_money = kind not in kinds_with_pay(study) or has_money_for_a_unit(study)
    shut = _why_shut(study, now) or (None if has_money else NoWork.MONEY)
    if not shut and _topics_with_work(study, kind, now).exists():
        return None
    if shut in FINAL:
        return shut
    return _why_none(study, Topic.objects.filter(study=study, retired_at__isnull=True), kind, shut)


def _why_none(study: Study, topics: QuerySet[Topic], kind: str, passing: NoWork | None) -> NoWork:
    """Return why judges of a kind can get no unit of these topics now. `passing` is a reason that passes."""
    if study.preview_of_id and not study.topics.exists():
        return NoWork.NO_TOPIC
    unfinished = Unit.objects.filter(
        topic__in=topics.order_by(), kind=kind, state__in=values((UnitState.OPEN, UnitState.RESERVED))
    )
    if unfinished.exists() or study.state == StudyState.DRAFT:
        return passing or NoWork.RESERVED
    adaptation = adaptation_of(study)
    if adaptation and not adaptation.is_over:
        return passing or NoWork.NEXT_ROUND
    return NoWork.ALL_DONE

"""Opening, pausing and closing a study, and retiring a topic: each is audited."""

from datetime import datetime

from django.db import transaction

from judging.core.selectors.readiness import opening_faults
from judging.core.services.ending import end_assignment
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.core.services.planning import plan_missing_units
from judging.models import Actor, Assignment, Participation, Study, Topic, Unit
from judging.protocol.states import (
    HOLDING,
    LIVE,
    AssignmentState,
    ParticipationState,
    StudyState,
    UnitState,
    may_move,
)


@transaction.atomic
def open_study(*, study: Study, now: datetime, actor: Actor = None) -> None:
    """Let workers in: plans the units first. Raises RefusedError where something stands in the way."""
    study = lock_study(study)
    faults = opening_faults(study, now=now)
    if faults:
        raise RefusedError(f"Study {study.slug} cannot open yet: {' '.join(faults)}")
    _move(study, StudyState.OPEN)
    planned = plan_missing_units(study=study)
    audit("opened", study=study, actor=actor, now=now, units_planned=planned)


@transaction.atomic
def pause_study(*, study: Study, now: datetime, actor: Actor = None) -> None:
    """No new reservations from here on; live units may finish until they lapse."""
    study = lock_study(study)
    _move(study, StudyState.PAUSED)
    audit("paused", study=study, actor=actor, now=now)


@transaction.atomic
def close_study(*, study: Study, now: datetime, force: bool = False, actor: Actor = None) -> list[Assignment]:
    """End the study for good. Live units may finish until they lapse, or, with `force`, are cancelled.

    Returns the cancelled assignments, each with the compensation that the study pays for it, fixed here.
    """
    study = lock_study(study)
    _move(study, StudyState.CLOSED)
    if force:
        _wait_for_workers(study)
    cancelled = _cancel_live(study, now) if force else []
    audit(
        "closed",
        study=study,
        actor=actor,
        now=now,
        cancelled=[f"{one.participation.pseudonym}/{one.number}" for one in cancelled],
    )
    return cancelled


@transaction.atomic
def retire_topic(*, topic: Topic, now: datetime, actor: Actor = None) -> None:
    """Give the topic to nobody any more. A live unit of it may still be finished.

    Raises RefusedError for a topic that is retired already.
    """
    study = lock_study(topic.study)
    if not Topic.objects.filter(pk=topic.pk, retired_at__isnull=True).exists():
        raise RefusedError(f"Topic {topic.number} of study {study.slug} is retired already.")
    # Who is freeing a unit of the topic at this moment comes first, who comes later sees the topic retired.
    holding = Assignment.objects.filter(topic=topic, state__in=HOLDING)
    list(holding.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    Topic.objects.filter(pk=topic.pk).update(retired_at=now)
    Unit.objects.filter(topic=topic, state=UnitState.OPEN).update(state=UnitState.RETIRED)
    audit("topic_retired", study=study, actor=actor, now=now, topic=topic.number)


@transaction.atomic
def mark_simulated(*, study: Study, now: datetime, actor: Actor = None) -> None:
    """Give the study to a simulated crowd for good; audited when it is given.

    Raises RefusedError where real workers took part.
    """
    study = lock_study(study)
    if Participation.objects.filter(study=study, simulated=False).exists():
        raise RefusedError(
            f"Study {study.slug} has real participations; import it again with --slug and simulate that one."
        )
    if not study.simulated:
        Study.objects.filter(pk=study.pk).update(simulated=True)
        audit("simulated", study=study, actor=actor, now=now)


def _move(study: Study, wanted: StudyState) -> None:
    if not may_move(StudyState(study.state), wanted):
        already = study.state == wanted
        raise RefusedError(
            f"Study {study.slug} is {wanted.value} already."
            if already
            else f"Study {study.slug} is {study.state}: it cannot become {wanted.value}."
        )
    study.state = wanted
    study.save(update_fields=["state"])


def _wait_for_workers(study: Study) -> None:
    """Let the workers' actions under way come to their end, and keep further ones waiting until ours.

    Workers who may hold a unit are locked first, as in their own actions, so that nobody waits in a circle.
    Then the open units: a reservation under way is seen by what follows, and who has just become ready finds
    none. Reserved units stay unlocked: whoever frees one holds its assignment and would wait for the unit.
    """
    workers = Participation.objects.filter(study=study, state=ParticipationState.READY)
    units = Unit.objects.filter(topic__study=study, state=UnitState.OPEN)
    for rows in (workers, units):
        list(rows.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk"))


def _cancel_live(study: Study, now: datetime) -> list[Assignment]:
    live = Assignment.objects.filter(participation__study=study, state__in=LIVE)
    cancelled = list(
        live.select_for_update(no_key=True, of=("self",))
        .select_related("participation__study")
        .order_by("pk")
    )
    for assignment in cancelled:
        end_assignment(assignment=assignment, state=AssignmentState.CANCELLED, now=now)
        assignment.compensation = study.pay_cancelled
        assignment.save(update_fields=["compensation"])
    return cancelled

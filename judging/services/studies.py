"""Opening, pausing and closing a study, and retiring a topic: each is audited."""

from datetime import datetime
from typing import Any

from django.db import transaction

from judging.models import Assignment, Participation, Study, Topic, Unit
from judging.protocol.states import HOLDING, LIVE, AssignmentState, StudyState, UnitState, may_move
from judging.selectors.readiness import readiness
from judging.services.ending import end_assignment
from judging.services.errors import RefusedError
from judging.services.events import audit
from judging.services.planning import plan_missing_units


@transaction.atomic
def open_study(*, study: Study, now: datetime, actor: Any = None) -> None:
    """Let workers in: plans the units first. Raises RefusedError where something stands in the way."""
    study = _lock_study(study)
    faults = readiness(study, now=now).faults
    if faults:
        raise RefusedError(f"Study {study.slug} cannot open yet: {' '.join(faults)}")
    _move(study, StudyState.OPEN)
    planned = plan_missing_units(study=study)
    audit("opened", study=study, actor=actor, now=now, units_planned=planned)


@transaction.atomic
def pause_study(*, study: Study, now: datetime, actor: Any = None) -> None:
    """No new reservations from here on; live units may finish until they lapse."""
    study = _lock_study(study)
    _move(study, StudyState.PAUSED)
    audit("paused", study=study, actor=actor, now=now)


@transaction.atomic
def close_study(*, study: Study, now: datetime, force: bool = False, actor: Any = None) -> list[Assignment]:
    """End the study for good. Live units may finish until they lapse, or, with `force`, are cancelled.

    Returns the cancelled assignments, whose workers should be paid for their time.
    """
    study = _lock_study(study)
    _move(study, StudyState.CLOSED)
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
def retire_topic(*, topic: Topic, now: datetime, actor: Any = None) -> None:
    """Give the topic to nobody any more. A live unit of it may still be finished."""
    study = _lock_study(topic.study)
    # Who is freeing a unit of the topic at this moment comes first, who comes later sees the topic retired.
    holding = Assignment.objects.filter(topic=topic, state__in=HOLDING)
    list(holding.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    Topic.objects.filter(pk=topic.pk, retired_at__isnull=True).update(retired_at=now)
    Unit.objects.filter(topic=topic, state=UnitState.OPEN).update(state=UnitState.RETIRED)
    audit("topic_retired", study=study, actor=actor, now=now, topic=topic.number)


@transaction.atomic
def mark_simulated(*, study: Study) -> None:
    """Give the study to a simulated crowd for good. Raises RefusedError where real workers took part."""
    study = _lock_study(study)
    if Participation.objects.filter(study=study, simulated=False).exists():
        raise RefusedError(
            f"Study {study.slug} has real participations; import it again with --slug and simulate that one."
        )
    Study.objects.filter(pk=study.pk).update(simulated=True)


def _lock_study(study: Study) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _move(study: Study, wanted: StudyState) -> None:
    if not may_move(StudyState(study.state), wanted):
        raise RefusedError(f"Study {study.slug} is {study.state} and cannot be {wanted.value} now.")
    study.state = wanted
    study.save(update_fields=["state"])


def _cancel_live(study: Study, now: datetime) -> list[Assignment]:
    live = Assignment.objects.filter(participation__study=study, state__in=LIVE)
    cancelled = list(
        live.select_for_update(no_key=True, of=("self",))
        .select_related("participation__study")
        .order_by("pk")
    )
    for assignment in cancelled:
        end_assignment(assignment=assignment, state=AssignmentState.CANCELLED, now=now)
    return cancelled

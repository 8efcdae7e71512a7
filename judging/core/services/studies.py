"""Open, pause and close a study, and retire a topic. Audit every change."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from judging.core.selectors.readiness import opening_faults
from judging.core.services.ending import end_assignment
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.core.services.planning import plan_missing_units
from judging.models import Actor, Assignment, ErasedIdentity, Participation, Study, Topic, Unit
from judging.protocol.judges import PERSON, SIMULATED, kinds_in
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
    """Plan the missing units and open the study to workers. Raise RefusedError if the study has faults."""
    study = lock_study(study)
    faults = opening_faults(study, now=now)
    if faults:
        raise RefusedError(
            _("Study {study} cannot open yet. {faults}").format(study=study.slug, faults=" ".join(faults))
        )
    _move(study, StudyState.OPEN)
    planned = plan_missing_units(study=study)
    audit("opened", study=study, actor=actor, now=now, units_planned=planned)


@transaction.atomic
def pause_study(*, study: Study, now: datetime, actor: Actor = None) -> None:
    """Stop new reservations. Workers can still finish their units within the time limit."""
    study = lock_study(study)
    _move(study, StudyState.PAUSED)
    audit("paused", study=study, actor=actor, now=now)


@transaction.atomic
def close_study(*, study: Study, now: datetime, force: bool = False, actor: Actor = None) -> list[Assignment]:
    """Close the study permanently. Workers can still finish their units within the time limit.

    The hashes of erased ids are deleted, because nobody can start any more.

    With `force`, cancel all live assignments instead, set the compensation for each, and return them.
    """
    study = lock_study(study)
    _move(study, StudyState.CLOSED)
    if force:
        _wait_for_workers(study)
    cancelled = _cancel_live(study, now) if force else []
    ErasedIdentity.objects.filter(study=study).delete()
    audit(
        "closed",
        study=study,
        actor=actor,
        now=now,
        cancelled=[f"{assignment.participation.pseudonym}/{assignment.number}" for assignment in cancelled],
    )
    return cancelled


@transaction.atomic
def retire_topic(*, topic: Topic, now: datetime, actor: Actor = None) -> None:
    """Stop assigning units of the topic. Workers can still finish units that they have already reserved.

    Raise RefusedError if the topic is already retired.
    """
    study = lock_study(topic.study)
    if not Topic.objects.filter(pk=topic.pk, retired_at__isnull=True).exists():
        raise RefusedError(
            _("Topic {topic} of study {study} is already retired.").format(
                topic=topic.number, study=study.slug
            )
        )
    # Wait for transactions that free a unit of the topic. Later transactions see that the topic is retired.
    holding = Assignment.objects.filter(topic=topic, state__in=HOLDING)
    list(holding.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    Topic.objects.filter(pk=topic.pk).update(retired_at=now)
    Unit.objects.filter(topic=topic, state=UnitState.OPEN).update(state=UnitState.RETIRED)
    audit("topic_retired", study=study, actor=actor, now=now, topic=topic.number)


@transaction.atomic
def mark_simulated(*, study: Study, now: datetime, actor: Actor = None) -> None:
    """Mark the study permanently as judged by simulated workers. Audit this only the first time.

    Raise RefusedError if the study has workers of a kind that cannot judge in a rehearsal, such as people.
    """
    study = lock_study(study)
    in_rehearsals = [kind.name for kind in kinds_in(rehearsal=True)]
    if Participation.objects.filter(study=study).exclude(kind__in=in_rehearsals).exists():
        raise RefusedError(
            _(
                "Study {study} has real workers. Import the study again under another name (--slug), "
                "and simulate the copy."
            ).format(study=study.slug)
        )
    if not study.simulated:
        Study.objects.filter(pk=study.pk).update(simulated=True)
        Unit.objects.filter(topic__study=study, kind=PERSON.name).update(kind=SIMULATED.name)
        audit("simulated", study=study, actor=actor, now=now)


def _move(study: Study, wanted: StudyState) -> None:
    if not may_move(StudyState(study.state), wanted):
        if study.state == wanted:
            text = _("Study {study} is already {state}.")
        else:
            text = _("Study {study} is {state}. Its state cannot change to “{wanted}”.")
        raise RefusedError(
            text.format(
                study=study.slug,
                state=study.get_state_display(),
                wanted=gettext(wanted.value),
            )
        )
    study.state = wanted
    study.save(update_fields=["state"])


def _wait_for_workers(study: Study) -> None:
    """Wait until all current actions of workers are finished, and block new actions until the commit.

    To avoid deadlocks, lock rows in the same order as the workers' actions. First lock the participations
    that can have a unit. Then lock the units that are open, so that nobody can reserve them. Do not lock
    reserved units: an action that frees a reserved unit locks the assignment before the unit. Such an action
    could wait for the unit while this transaction waits for the assignment.
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
        end_assignment(
            assignment=assignment,
            state=AssignmentState.CANCELLED,
            now=now,
            compensation=study.pay_cancelled,
        )
    return cancelled

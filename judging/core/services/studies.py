"""Open, pause and close a study, and retire a topic. Audit every change."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from judging.core.selectors.arms import arms_of
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
    """Plan the missing units and open the study to workers, with all its arms.

    Raise RefusedError if the study or one of its arms has faults.
    """
    arms = _lock_arms(study)
    faults = [fault for arm in arms for fault in _opening_faults(arm, now)]
    if faults:
        raise RefusedError(
            _("Study {study} cannot open yet. {faults}").format(
                study=study.slug, faults=" ".join(dict.fromkeys(faults))
            )
        )
    for arm in arms:
        _move(arm, StudyState.OPEN)
        planned = plan_missing_units(study=arm)
        audit("opened", study=arm, actor=actor, now=now, units_planned=planned)


@transaction.atomic
def pause_study(*, study: Study, now: datetime, actor: Actor = None) -> None:
    """Stop new reservations in all arms. Workers can still finish their units within the time limit."""
    for arm in _lock_arms(study):
        _move(arm, StudyState.PAUSED)
        audit("paused", study=arm, actor=actor, now=now)


@transaction.atomic
def close_study(*, study: Study, now: datetime, force: bool = False, actor: Actor = None) -> list[Assignment]:
    """Close the study permanently, with all its arms. Workers can finish their units within the time limit.

    The hashes of erased ids are deleted, because nobody can start any more.

    With `force`, cancel all live assignments instead, set the compensation for each, and return them.
    """
    arms = _lock_arms(study)
    for arm in arms:
        _move(arm, StudyState.CLOSED)
    return [cancelled for arm in arms for cancelled in _end_work(arm, now=now, force=force, actor=actor)]


def _end_work(study: Study, *, now: datetime, force: bool, actor: Actor) -> list[Assignment]:
    """Cancel live assignments with `force`, and return them. Audit that the study was closed."""
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


def _lock_arms(study: Study) -> list[Study]:
    """Lock a study and its further arms, and return them. Raise RefusedError for a further arm."""
    study = lock_study(study)
    if study.front is not None:
        raise RefusedError(
            _(
                "Study {arm} is an arm of study {front}. Do this for {front}, so that all arms stay in the"
                " same state."
            ).format(arm=study.slug, front=study.front.slug)
        )
    return [study, *(lock_study(arm) for arm in arms_of(study)[1:])]


def _opening_faults(study: Study, now: datetime) -> list[str]:
    """Return the faults that prevent a study from opening. If it is an arm, they begin with its name."""
    faults = opening_faults(study, now=now)
    if not study.has_arms:
        return faults
    return [_("Arm {arm}: {fault}").format(arm=study.arm, fault=fault) for fault in faults]


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
    """Mark the study and its arms permanently as judged by simulated workers. Audit this only the first time.

    Raise RefusedError if the study has workers of a kind that cannot judge in a rehearsal, such as people.
    """
    for arm in _lock_arms(study):
        _mark_simulated(arm, now=now, actor=actor)


def _mark_simulated(study: Study, *, now: datetime, actor: Actor) -> None:
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
    # Nobody is behind the others whom one could tell, or pay.
    return [assignment for assignment in cancelled if assignment.participation.earns]

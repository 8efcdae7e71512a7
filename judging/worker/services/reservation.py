"""Reserve a unit for a worker: draw a topic, then take its first free unit."""

from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from judging.core.selectors.machine import units_for
from judging.core.selectors.units import reached_limit, study_state, study_takes_work, units_left_by_topic
from judging.core.services.ending import NO_PAY
from judging.core.services.locking import lock_participation
from judging.core.services.paying import claim_money
from judging.models import Assignment, Participation, Unit
from judging.protocol.checks.comprehension import shuffle_options
from judging.protocol.planning import choose_topic
from judging.protocol.states import ParticipationState, UnitState
from judging.worker.selectors.participations import live_assignment
from judging.worker.services.address_limit import claim_place
from judging.worker.services.lapse import expire_assignments, forget_old_answers


@transaction.atomic
def reserve_unit(
    *,
    participation: Participation,
    now: datetime,
    rng: Random,
    address: str = "",
    claim: str = "",
    own: bool = False,
) -> Assignment | None:
    """Reserve a unit of a topic that is new to the worker, and return its assignment.

    Call this before the topic is shown. Return the live assignment if there is one. Return None if the worker
    cannot get a unit now. In that case, no topic counts as shown. `claim` is the claim of the worker's
    browser, or "". With `own`, reserve only units that are planned for this machine judge alone. Raise
    AddressFullError if workers at the same network `address` hold as many units as the
    study allows.
    """
    participation = lock_participation(participation)
    study = participation.study
    if participation.state != ParticipationState.READY:
        return None
    if live := live_assignment(participation):
        return live
    if not study_takes_work(study, now=now) or reached_limit(participation, claim=claim):
        return None
    held_from = claim_place(study=study, address=address, now=now)
    if participation.earns and not claim_money(study):
        return None
    forget_old_answers(now=now)
    unit = _take_unit(participation, rng, own=own)
    if unit is None and expire_assignments(study=study, now=now):
        unit = _take_unit(participation, rng, own=own)
    # Closing a study locks its units first, so the state is current once a unit is locked.
    study.state = study_state(study)
    if unit is None or not study_takes_work(study, now=now):
        return None
    unit.state = UnitState.RESERVED
    unit.save(update_fields=["state"])
    return Assignment.objects.create(
        participation=participation,
        unit=unit,
        topic_id=unit.topic_id,
        number=participation.assignments.count() + 1,
        option_order=list(shuffle_options(rng)),
        started_at=now,
        lapses_at=now + timedelta(minutes=study.lapse_minutes),
        pay=study.pay_per_unit if participation.earns else NO_PAY,
        held_from=held_from,
        claim=claim,
    )


def _take_unit(participation: Participation, rng: Random, *, own: bool) -> Unit | None:
    """Lock and return a free unit for this kind of judge or, with `own`, for this machine judge.

    If the drawn topic has no unit that can be locked, draw another topic.
    """
    units_left = units_left_by_topic(participation)
    weighted = participation.study.topic_choice == "weighted"
    while units_left:
        topic_id = choose_topic(units_left, weighted=weighted, rng=rng)
        free = Unit.objects.filter(topic_id=topic_id, kind=participation.kind, state=UnitState.OPEN)
        if own:
            free = free.filter(pk__in=units_for(participation.machine).values("pk"))
        if unit := free.order_by("number").select_for_update(no_key=True, skip_locked=True).first():
            return unit
        del units_left[topic_id]
    return None

"""Stop a worker whose record looks like guessing, until a researcher has looked at it."""

from datetime import datetime

from judging.core.selectors.payments import DECIDED
from judging.core.selectors.records import record_of, topics_at_fault
from judging.core.services.events import record
from judging.models import Assignment, EventKind, Participation
from judging.models.participation import Gate
from judging.protocol.paying import PayDecision, PayReason
from judging.protocol.record import is_weighed, looks_guessed


def weigh_record(*, ending: Assignment, now: datetime) -> bool:
    """Return whether the record of a worker, whose locked unit ends, looks like guessing.

    If it does for the first time, the worker gets no further units, and the pay that was not made yet is
    held. The facts are stored. After a researcher has let the worker go on, this never happens again.
    """
    participation = ending.participation
    study = participation.study
    if not is_weighed(study) or participation.gate == Gate.OPENED:
        return False
    if participation.gate == Gate.CLOSED:
        return True
    if not looks_guessed(record_of(participation, ending=ending), least_units=study.record_units):
        return False
    weighed = record_of(participation, ending=ending, without_topics=topics_at_fault(participation))
    if not looks_guessed(weighed, least_units=study.record_units):
        return False
    participation.gate, participation.gated_at, participation.gate_record = Gate.CLOSED, now, weighed.facts
    participation.save(update_fields=["gate", "gated_at", "gate_record"])
    _hold_pay(participation)
    record(EventKind.GATED, participation=participation, now=now)
    return True


def _hold_pay(participation: Participation) -> None:
    due = participation.assignments.filter(
        DECIDED, pay_decision=PayDecision.PAY.value, pay_reason="", paid_at__isnull=True
    )
    due.exclude(pay=0, compensation=0).update(
        pay_decision=PayDecision.HOLD.value, pay_reason=PayReason.RECORD.value
    )

"""Finish a unit: go to the first missing answer, or run the checks and apply their result."""

import json
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from random import Random

from django.db.models import Sum

from judging.core.services.ending import close_visit, end_assignment
from judging.core.services.events import record_in_unit
from judging.core.services.paying import UNIT_FIELDS, decide_unit
from judging.models import Assignment, EventKind, Judgment, PoolDocument, Unit, Visit
from judging.models.assignment import OF_FAILED
from judging.protocol import codes
from judging.protocol.checks import attempts_left, failed_checks
from judging.protocol.checks.anchors import tau_between_attempts
from judging.protocol.checks.check import FactValue, FinishedUnit, Observation, UnitCheck
from judging.protocol.states import AssignmentState, UnitState
from judging.protocol.timing import visit_seconds
from judging.worker.selectors.participations import judgments_of
from judging.worker.services.outcome import MOVED, UNCHANGED, Outcome


def finish(*, assignment: Assignment, visit: Visit | None, now: datetime, rng: Random) -> Outcome:
    """Run the checks on a locked assignment whose current answer is saved. `visit` is the open visit.

    If an answer is missing, do not run the checks, but go to the first document without an answer. If the
    unit has the same digest as at the last failed attempt, do not run the checks either. If the checks pass,
    the unit is done. If they fail, the worker can revise the answers until no attempt is left.
    """
    judgments = judgments_of(assignment)
    gap = next((judgment.position for judgment in judgments if not judgment.is_complete), None)
    if gap is not None:
        _go_to_gap(assignment, visit, gap, now)
        return MOVED
    observations = _observations(assignment, judgments, visit, now)
    is_timed = assignment.participation.judge.is_timed
    least = assignment.participation.study.seconds_per_document if is_timed else 0.0
    digest = _digest(judgments, observations, least=least)
    if assignment.state == AssignmentState.REVISING and assignment.failed_digest == digest:
        return UNCHANGED
    close_visit(visit, assignment=assignment, now=now)
    assignment.serial += 1
    unit = FinishedUnit(observations, assignment.failed_numbers or [], is_timed=is_timed)
    taus = (tau_between_attempts(earlier, unit.numbers) for earlier in unit.earlier)
    lowest = min((tau for tau in taus if tau is not None), default=None)
    if lowest is not None:
        before = assignment.lowest_tau
        assignment.lowest_tau = lowest if before is None else min(lowest, before)
    if lowest is not None and lowest < 0:
        record_in_unit(
            EventKind.ORDER_INVERTED,
            assignment=assignment,
            now=now,
            attempt=(assignment.failed_finishes or 0) + 1,
            tau=lowest,
        )
    if failed := failed_checks(unit, assignment.participation.study):
        assignment.failed_numbers = [*unit.earlier, unit.numbers]
        assignment.failed_digest = digest
        _fail(assignment, failed, now)
    else:
        _complete(assignment, len(judgments), now, rng)
    return MOVED


def _go_to_gap(assignment: Assignment, visit: Visit | None, gap: int, now: datetime) -> None:
    close_visit(visit, assignment=assignment, now=now)
    assignment.cursor = gap
    assignment.serial += 1
    assignment.save(update_fields=["cursor", "serial"])


def _digest(judgments: Sequence[Judgment], observations: Sequence[Observation], *, least: float) -> str:
    """Return a hash of what the checks depend on: the numbers, the reasons, and which documents lack time.

    The spelling of a number and the white space of a reason do not matter.
    """
    answers = [(judgment.number, judgment.justification.split()) for judgment in judgments]
    short = [observation.seconds < least for observation in observations]
    return sha256(json.dumps([answers, short]).encode()).hexdigest()


def _observations(
    assignment: Assignment, judgments: list[Judgment], visit: Visit | None, now: datetime
) -> list[Observation]:
    """Return what the checks need about each document. The open `visit` counts up to now."""
    seconds = dict(
        Visit.objects.filter(assignment=assignment)
        .order_by()
        .values_list("judgment_id")
        .annotate(spent=Sum("seconds"))
    )
    if visit is not None:
        most = assignment.participation.study.visit_seconds
        spent = visit_seconds(visit.opened_at, now, most=most)
        seconds[visit.judgment_id] = seconds.get(visit.judgment_id, 0.0) + spent
    anchors = dict(
        PoolDocument.objects.filter(topic_id=assignment.topic_id)
        .exclude(anchor="")
        .values_list("pk", "anchor")
    )
    return [
        Observation(
            anchor=anchors.get(judgment.pool_document_id, ""),
            number=judgment.number,
            seconds=seconds.get(judgment.pk, 0.0),
            compared_with=anchors.get(judgment.compared_with_id or 0, ""),
        )
        for judgment in judgments
        if judgment.number is not None
    ]


def _complete(assignment: Assignment, judgments: int, now: datetime, rng: Random) -> None:
    assignment.state = AssignmentState.COMPLETED
    assignment.ended_at = now
    assignment.completion_code = codes.completion_code(rng)
    assignment.judgment_count = judgments
    assignment.held_from = ""
    assignment.forget_failed()
    decide_unit(assignment=assignment, now=now)
    fields = ("state", "ended_at", "completion_code", "judgment_count", "held_from", *OF_FAILED)
    assignment.save(update_fields=["serial", "lowest_tau", *fields, *UNIT_FIELDS])
    Unit.objects.filter(pk=assignment.unit_id).update(state=UnitState.DONE)


def _fail(
    assignment: Assignment, failed: list[tuple[UnitCheck, dict[str, FactValue]]], now: datetime
) -> None:
    assignment.failed_finishes = (assignment.failed_finishes or 0) + 1
    counts = assignment.failed_checks or {}
    assignment.failed_checks = counts | {check.letter: counts.get(check.letter, 0) + 1 for check, _ in failed}
    assignment.state = AssignmentState.REVISING
    assignment.save()
    attempt = assignment.failed_finishes
    for check, facts in failed:
        record_in_unit(check.event, assignment=assignment, now=now, attempt=attempt, **facts)
    study = assignment.participation.study
    if attempts_left(study.check_attempts, failed=attempt) == 0:
        end_assignment(
            assignment=assignment,
            state=AssignmentState.CHECKS_FAILED,
            now=now,
            compensation=study.pay_checks_failed,
            attempt=attempt,
        )

"""Handles the comprehension question (check (b)) and starts judging."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.selectors.plans import right_option, unit_documents
from judging.core.services.ending import NO_PAY, end_assignment, screen_out
from judging.core.services.locking import lock_assignment
from judging.models import Assignment, Judgment, Participation
from judging.protocol.anchor_pairs import PAIRS
from judging.protocol.checks import attempts_left, comprehension
from judging.protocol.checks.check import FactValue
from judging.protocol.planning import place_documents
from judging.protocol.ring import compared_in, place_in_ring
from judging.protocol.scales import compares_pairs
from judging.protocol.states import AssignmentState
from judging.protocol.timing import is_too_soon, least_on_question
from judging.worker.selectors.participations import wrong_answers
from judging.worker.services import outcome
from judging.worker.services.lapse import hold
from judging.worker.services.outcome import MOVED, Outcome


@transaction.atomic
def answer_question(
    *,
    participation: Participation,
    number: int,
    place: int | None,
    now: datetime,
    rng: Random,
    address: str = "",
) -> Outcome:
    """Check the answer to the question of assignment `number`.

    `place` is the position of the chosen option in the order shown, counted from 0. If no option has this
    position, the worker must choose again. After a right answer, put the documents into random order and
    start judging. After a wrong answer, end the unit for this worker. The worker can then take another topic,
    unless they have reached the study's limit on wrong answers. If the study pays workers who are screened
    out, an answer that comes too soon does not count. This way, workers cannot get this pay without reading
    the topic. For lapsed units, see `hold`.
    """
    assignment = lock_assignment(participation, number)
    if assignment is None:
        return MOVED
    answered = place is not None and 0 <= place < len(assignment.option_order)
    if not hold(assignment=assignment, now=now, address=address, answered=answered):
        return MOVED
    if assignment.state != AssignmentState.QUESTION:
        return MOVED
    if place is None or not answered:
        return outcome.invalid(answer=_("Please choose one of the answers."))
    study = assignment.participation.study
    has_least = study.pay_screened_out and assignment.participation.judge.is_timed
    least = least_on_question(study.seconds_per_document) if has_least else 0
    if assignment.started_at and is_too_soon(
        assignment.started_at, now, least=least
    ):  # before the check, so that the message does not reveal whether the answer is right
        return outcome.invalid(answer=_("Please take your time and read the topic. Then press Next again."))
    option = comprehension.chosen_option(assignment.option_order, place)
    finding = comprehension.CHECK.verdict(option, right_option(assignment))
    if finding.passed:
        _begin_judging(assignment, rng)
    else:
        _fail(assignment, finding.facts, now)
    return MOVED


def _begin_judging(assignment: Assignment, rng: Random) -> None:
    Judgment.objects.bulk_create(
        Judgment(
            assignment=assignment, pool_document_id=document, compared_with_id=compared, position=position
        )
        for position, (document, compared) in enumerate(_pages(assignment, rng))
    )
    assignment.state = AssignmentState.JUDGING
    assignment.serial += 1
    assignment.save(update_fields=["state", "serial"])


def _pages(assignment: Assignment, rng: Random) -> Iterable[tuple[int, int | None]]:
    """Return the keys of the documents of each page, in the order in which the worker sees the pages.

    The second key is None, unless the scale of the study compares two documents.
    """
    others, anchors = unit_documents(assignment)
    study = assignment.participation.study
    if compares_pairs(study):
        pairs = [[anchors[anchor] for anchor in pair] for pair in PAIRS[: study.anchor_pairs]]
        return compared_in(place_in_ring(others, pairs, rng))
    placed = place_documents(others, [anchors[anchor] for anchor in sorted(anchors)], rng)
    return ((document, None) for document in placed)


def _fail(assignment: Assignment, facts: Mapping[str, FactValue], now: datetime) -> None:
    participation = assignment.participation
    failures = 1 + wrong_answers(participation)
    end_assignment(
        assignment=assignment,
        state=AssignmentState.COMPREHENSION_FAILED,
        now=now,
        compensation=NO_PAY,
        attempt=failures,
        **facts,
    )
    if attempts_left(participation.study.comprehension_attempts, failed=failures) == 0:
        screen_out(participation=participation, now=now, attempt=failures)

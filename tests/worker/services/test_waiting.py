"""A transaction under way, and another that must wait for it, on both databases."""

from collections.abc import Callable
from functools import partial
from random import Random
from threading import Event
from time import sleep

import pytest
from django.db import transaction

from judging.core.services.locking import lock_assignment, lock_participation
from judging.core.services.planning import plan_missing_units
from judging.core.services.studies import close_study
from judging.models import Assignment, Study, Unit
from judging.watching.services.curation import exclude_unit
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import resume_lapsed_unit, return_unit
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    Way,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    pass_practice,
    see,
    send,
)
from tests.support.concurrent import at_once
from tests.support.integrity import broken_invariants

PAUSE = 0.3
"""Seconds that the first stays open, for the other to meet it."""


@pytest.mark.parametrize("step", ["ready", "practising"])
def test_a_forced_close_waits_for_a_reservation_under_way(database: str, step: Way) -> None:
    study = make_study()
    worker = make_worker(study, upto=step)
    under_way = Event()

    def reserve_slowly() -> Assignment | None:
        with transaction.atomic():
            if step == "practising":
                pass_practice(worker)
            got = reserve_unit(participation=worker, now=NOW, rng=Random(1))
            under_way.set()
            sleep(PAUSE)
        return got

    def close() -> list[Assignment]:
        assert under_way.wait(timeout=30)
        return close_study(study=study, now=NOW, force=True)

    got, cancelled = at_once([reserve_slowly, close])
    assert got is not None
    assert [item.pk for item in cancelled] == [got.pk]
    assert live_assignment(worker).state == "cancelled"
    assert broken_invariants(study) == []


def test_a_forced_close_and_somebody_who_gives_a_unit_back_do_not_wait_in_a_circle(database: str) -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    see(worker)
    under_way = Event()

    def answer_and_return() -> bool:
        with transaction.atomic():
            send(worker, now=later(25))
            under_way.set()
            sleep(PAUSE)
            return return_unit(participation=worker, now=later(26))

    def close() -> list[Assignment]:
        assert under_way.wait(timeout=30)
        return close_study(study=study, now=later(27), force=True)

    assert at_once([answer_and_return, close]) == [True, []]
    assert live_assignment(worker).state == "returned"
    assert broken_invariants(study) == []


def test_an_answer_and_another_action_of_its_worker_do_not_wait_in_a_circle(database: str) -> None:
    """The answer's one statement takes its locks in everybody's order: the worker's, then the unit's."""
    worker = make_worker(make_study(), upto="judging")
    see(worker)
    under_way = Event()

    def lock_one_by_one() -> int:
        with transaction.atomic():
            locked = lock_participation(worker)
            under_way.set()
            sleep(PAUSE)
            assignment = lock_assignment(locked, 1)
        assert assignment is not None
        return assignment.cursor

    def answer() -> int:
        assert under_way.wait(timeout=30)
        send(worker, now=later(25))
        return live_assignment(worker).cursor

    assert at_once([lock_one_by_one, answer]) == [0, 1]


@pytest.mark.parametrize("first", ["copying", "planning"])
def test_a_unit_is_copied_while_more_are_planned(database: str, first: str) -> None:
    """Both take the topic's next number: the second waits until the first is done."""
    study = make_study(topics=1, judgments_per_document=2)
    unit = judge_unit(make_worker(study)).unit
    Study.objects.update(judgments_per_document=4)
    actions: dict[str, Callable[[], object]] = {
        "copying": partial(exclude_unit, unit=unit, reason="Odd.", now=NOW, collect_again=True),
        "planning": partial(plan_missing_units, study=study),
    }
    second = actions[next(name for name in actions if name != first)]
    under_way = Event()

    def slowly() -> None:
        with transaction.atomic():
            actions[first]()
            under_way.set()
            sleep(PAUSE)

    def afterwards() -> None:
        assert under_way.wait(timeout=30)
        second()

    at_once([slowly, afterwards])
    numbers = list(Unit.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert unit.copies.get().state == "open"
    assert len(numbers) == 5


def test_a_lapsed_unit_is_not_taken_up_again_once_a_close_is_under_way(database: str) -> None:
    study = make_study(lapse_minutes=1)
    worker = make_worker(study, upto="judging")
    expire_assignments(now=later(61))
    under_way = Event()

    def close_slowly() -> bool:
        with transaction.atomic():
            close_study(study=study, now=later(62), force=True)
            under_way.set()
            sleep(PAUSE)
        return False

    def resume() -> bool:
        assert under_way.wait(timeout=30)
        return resume_lapsed_unit(participation=worker, number=1, now=later(62))

    assert at_once([close_slowly, resume]) == [False, False]
    assert live_assignment(worker).state == "lapsed"

"""Clocks that jump, and a scheduler that stood still: time may be wrong, the data may not."""

from collections import Counter
from datetime import datetime, timedelta
from random import Random

import pytest

from judging.models import Assignment, Participation, Visit
from judging.services.lapse import expire_assignments
from judging.services.leaving import resume_lapsed_unit
from judging.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
    honest,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
)
from tests.support.integrity import broken_invariants

WORKERS = 12


@pytest.mark.parametrize("seed", range(3))
def test_a_clock_that_jumps_to_and_fro(database: str, seed: int) -> None:
    """Each step at a moment of its own, hours off; what has lapsed by one clock is live by the next."""
    study = make_study(topics=3, documents=12, judgments_per_document=3)
    dice = Random(f"jumping clock/{seed}")

    def moment() -> datetime:
        return NOW + timedelta(minutes=dice.choice((0, 1, 2, 5, 50, 61, 180, -1, -120)) * dice.random())

    def step(worker: Participation) -> None:
        now = moment()
        attempt = worker.assignments.order_by("number").last()
        if attempt is None or not attempt.live:
            reserve_unit(participation=worker, now=now, rng=Random(dice.random()))
        elif attempt.state == "question":
            answer_rightly(worker, now=now)
        else:
            see(worker, now=now)
            if dice.random() < 0.2:
                judge_unit(worker, now=moment(), magnitude=inverted if dice.random() < 0.1 else honest)
            else:
                back = attempt.cursor and dice.random() < 0.2
                send(worker, now=moment(), action="back" if back else "next")

    workers = [make_worker(study, now=moment()) for _ in range(WORKERS)]
    for _ in range(25 * WORKERS):
        step(dice.choice(workers))
        if dice.random() < 0.05:
            expire_assignments(now=moment())
    assert broken_invariants(study) == []
    states = Counter(Assignment.objects.values_list("state", flat=True))
    assert min(states["completed"], states["lapsed"], states["checks_failed"]) > 0, states
    seconds = list(Visit.objects.values_list("seconds", flat=True))
    assert min(seconds) == 0.0
    assert max(seconds) <= study.visit_seconds


def test_a_scheduler_that_stood_still_for_an_hour(database: str) -> None:
    """All units are held by workers who are gone. Who comes gets one; who comes back goes on, or is told."""
    study = make_study(topics=1, documents=12, judgments_per_document=1)
    first, second = (make_worker(study, upto="judging") for _ in range(2))
    for worker in (first, second):
        see(worker)
        send(worker, now=later(25))
    late = later(hours=2)
    newcomer = make_worker(study, now=late)
    assert reserve_unit(participation=newcomer, now=late, rng=Random(1)) is not None
    assert broken_invariants(study) == []
    taken = live_assignment(newcomer).unit
    loser, lucky = (first, second) if live_assignment(first).unit == taken else (second, first)
    assert resume_lapsed_unit(participation=lucky, number=1, now=late)
    assert not resume_lapsed_unit(participation=loser, number=1, now=late)
    see(lucky, now=late)
    send(lucky, now=later(hours=2.01))
    assert live_assignment(lucky).state == "judging"
    assert live_assignment(lucky).judgments.exclude(magnitude=None).count() == 2
    assert live_assignment(loser).state == "lapsed"
    assert live_assignment(loser).judgments.exclude(magnitude=None).count() == 1, "kept, to be shown"
    judge_unit(newcomer, now=late)
    judge_unit(lucky, now=later(hours=2.1))
    assert expire_assignments(now=later(hours=4)) == 0
    assert broken_invariants(study) == []
    assert set(study.topics.get().units.values_list("state", flat=True)) == {"done"}

"""A worker who guesses is stopped after some units, with the facts; a researcher can let the worker go on."""

from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from judging.core.published.payments import payment_rows
from judging.core.selectors.units import no_work_for, reached_limit
from judging.core.services.errors import RefusedError
from judging.models import Assignment, AuditEntry, Event, EventKind, Judgment, Participation, Study
from judging.protocol.record import Record, UnitOutcome, looks_guessed, record_from
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.selectors.worker_statistics import gated_workers
from judging.watching.services.workers import clear_record
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    current,
    dice,
    form,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    send,
)

PAID = {"platform": "generic", "id_parameter": "PID", "pay_per_unit": Decimal("0.20")}


def guess_unit(worker: Participation, *, at: int) -> Assignment:
    """Judge a unit with random numbers, new ones at each attempt, and the anchors in the wrong order."""
    rng = Random(f"guesses {at}")

    def draw(judgment: Judgment) -> str:
        low, high = {"H": (1, 40), "N": (50, 99)}.get(judgment.pool_document.anchor, (1, 99))
        return str(rng.randint(low, high))

    attempt = judge_unit(worker, now=later(hours=at), magnitude=draw)
    for again in range(2):
        for step in range(8):
            answer = form(worker, draw(current(worker)), f"Again {again}.")
            if step < 7:
                answer = replace(answer, go=(answer.position + 1) % 8)
            send(worker, answer, action="finish", now=later(hours=at, minutes=5 + again, seconds=step))
        attempt = live_assignment(worker)
    assert attempt.state == "checks_failed"
    assert attempt.lowest_tau is not None
    return attempt


def guesser(study: Study, *, units: int) -> Participation:
    worker = make_worker(study)
    for number in range(units):
        guess_unit(worker, at=number)
    worker.refresh_from_db()
    return worker


def test_a_worker_who_guesses_is_stopped_with_the_facts(database: str) -> None:
    study = make_study(topics=6, **PAID)
    worker = make_worker(study)
    done = judge_unit(worker)
    for number in range(1, 4):
        assert reached_limit(worker) == ""
        guess_unit(worker, at=number)
    worker.refresh_from_db()
    assert worker.gate == "closed"
    assert worker.gate_record["units"] == 4
    assert worker.gate_record["passed"] == 1
    assert Event.objects.get(kind=EventKind.GATED).participation == worker
    assert (reached_limit(worker), no_work_for(worker, now=later())) == ("record", "record")
    assert reserve_unit(participation=worker, now=later(hours=9), rng=dice(worker, later())) is None
    assert gated_workers(study) == [worker.pseudonym]
    (payment,) = payment_rows(study)
    assert (payment.decision, payment.reason) == ("hold", "record")
    done.refresh_from_db()
    assert done.pay_decision == "hold"


def test_a_researcher_lets_the_worker_go_on_for_good(db: None) -> None:
    study = make_study(topics=7, **PAID)
    worker = make_worker(study)
    judge_unit(worker)
    for number in range(1, 4):
        guess_unit(worker, at=number)
    assert clear_record(participation=worker, now=later(hours=9)) == 1
    assert AuditEntry.objects.get(verb="record_cleared").detail["worker"] == worker.pseudonym
    (payment,) = payment_rows(study)
    assert (payment.decision, payment.reason) == ("pay", "reviewed")
    guess_unit(worker, at=10)
    worker.refresh_from_db()
    assert (worker.gate, reached_limit(worker), gated_workers(study)) == ("opened", "", [])
    with pytest.raises(RefusedError):
        clear_record(participation=worker, now=later(hours=12))


def test_nobody_is_stopped_before_the_stated_number_of_units(db: None) -> None:
    study = make_study(topics=6, record_units=5, **PAID)
    assert guesser(study, units=4).gate == ""


@pytest.mark.parametrize(
    "settings",
    [{**PAID, "record_check": "off"}, {"pay_per_unit": Decimal("0.20")}, {**PAID, "pay_per_unit": 0}],
)
def test_records_are_weighed_only_where_the_study_says_so(db: None, settings: dict) -> None:
    study = make_study(topics=5, **settings)
    worker = guesser(study, units=4)
    assert worker.gate == ""
    judge_unit(worker, now=later(hours=9))
    assert {row.decision for row in payment_rows(study)} == {"pay"}


def test_topics_at_which_most_people_fail_are_not_held_against_anybody(db: None) -> None:
    study = make_study(topics=4, check_attempts=1, **PAID)
    for _ in range(6):
        worker = make_worker(study)
        for number in range(4):
            judge_unit(worker, now=later(hours=number), magnitude=inverted)
    gates = list(Participation.objects.order_by("pk").values_list("gate", flat=True))
    assert (gates[0], gates[-1]) == ("closed", "")


def test_the_flags_tell_a_guesser_from_a_reader_in_a_small_crowd(db: None) -> None:
    study = make_study(topics=4)
    worker, careful = guesser(study, units=4), make_worker(study)
    for number in range(4):
        judge_unit(careful, now=later(hours=number))
    compute_statistics(study=study, now=later(hours=9))
    worker.refresh_from_db()
    careful.refresh_from_db()
    assert worker.figures.flagged == 1
    assert careful.figures.flagged == 0


@pytest.mark.parametrize(
    ("record", "guessed"),
    [
        (Record(4, 0), True),
        (Record(3, 0), False),  # too few units
        (Record(4, 4), False),
        (Record(6, 3), False),
        (Record(6, 3, redrawn=3), True),
        (Record(6, 3, corrected=3), False),
        (Record(6, 3, redrawn=3, agreement=0.6, shared=40), False),
        (Record(8, 5, agreement=-0.1, shared=60), True),
        (Record(4, 0, anchor_pairs=2), True),
        (Record(9, 3, anchor_pairs=2), False),  # with one pair, a guesser
        (Record(9, 3), True),
        (Record(9, 2, anchor_pairs=2), True),
    ],
)
def test_the_rule(record: Record, guessed: bool) -> None:
    assert looks_guessed(record, least_units=4) == guessed


def test_few_readers_are_ever_stopped_and_most_guessers_soon() -> None:
    rng = Random(3)

    def stopped_after(passes: float, redraws: float) -> int | None:
        outcomes: list[UnitOutcome] = []
        for number in range(18):
            passed = rng.random() < passes
            tau = None if passed else (0.0 if rng.random() < redraws else 0.7)
            outcomes.append(UnitOutcome(passed, tau))
            if looks_guessed(record_from(outcomes), least_units=4):
                return number + 1
        return None

    readers = [stopped_after(0.85, 0.2) for _ in range(2000)]
    guessers = [stopped_after(0.5, 0.84) for _ in range(2000)]
    assert sum(1 for units in readers if units) / 2000 < 0.05
    assert sum(1 for units in guessers if units) / 2000 > 0.9

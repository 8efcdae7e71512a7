"""Check (a), line by line."""

from dataclasses import replace
from datetime import datetime
from random import Random

import pytest

from judging.models import Event, Participation
from judging.protocol.scales import DEFAULT, SCALES
from judging.worker.services.outcome import Kind, Outcome
from judging.worker.services.practice import answer_line, start_practice
from judging.worker.services.reservation import reserve_unit
from tests.factories import NOW, fail_practice, later, make_study, make_worker, pass_practice

pytestmark = pytest.mark.django_db


def answer(
    worker: Participation, text: str, *, attempt: int = 1, line: int = 0, now: datetime = NOW
) -> Outcome:
    return answer_line(
        participation=worker, attempt_number=attempt, line=line, text=text, now=now, rng=Random(9)
    )


@pytest.mark.parametrize(("seconds", "least"), [(20, 2), (60, 2), (5, 0.5)])
def test_pay_for_being_screened_out_takes_its_time(seconds: float, least: float) -> None:
    study = make_study(pay_screened_out="0.05", seconds_per_document=seconds)
    worker = make_worker(study, upto="practising")
    shown = 0.0
    for attempt in (1, 2, 3):
        for line in range(3):
            for early in (0, least - 0.01):
                hasty = answer(worker, "5", attempt=attempt, line=line, now=later(shown + early))
                assert (hasty.kind, list(hasty.faults)) == (Kind.INVALID, ["magnitude"])
            shown += least
            assert answer(worker, "5", attempt=attempt, line=line, now=later(shown)).kind == Kind.MOVED
    worker.refresh_from_db()
    assert (worker.state, str(worker.compensation)) == ("screened_out", "0.05")


def test_a_clock_that_jumped_back_hurries_nobody() -> None:
    worker = make_worker(make_study(pay_screened_out="0.05"), upto="practising", now=later(hours=1))
    assert answer(worker, "5", now=later(hours=1)).kind == Kind.INVALID
    assert answer(worker, "5", now=NOW).kind == Kind.MOVED


def test_a_scale_without_practice_makes_the_worker_ready_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = SCALES[DEFAULT]
    assert scale.judging
    untaught = replace(scale, judging=replace(scale.judging, practice=""))
    worker = make_worker(make_study(), upto="consented")
    monkeypatch.setitem(SCALES, DEFAULT, untaught)
    start_practice(participation=worker, now=NOW, rng=Random(9))
    worker.refresh_from_db()
    assert (worker.state, worker.practice_attempts.count()) == ("ready", 0)


def test_passing_makes_the_worker_ready() -> None:
    worker = make_worker(make_study(), upto="practising")
    pass_practice(worker)
    worker.refresh_from_db()
    assert worker.state == "ready"
    assert worker.practice_attempts.get().passed
    assert not Event.objects.exists()


def test_starting_twice_starts_once() -> None:
    worker = make_worker(make_study(), upto="practising")
    start_practice(participation=worker, now=NOW, rng=Random(2))
    assert worker.practice_attempts.count() == 1


def test_failing_starts_over_with_new_lines() -> None:
    worker = make_worker(make_study(), upto="practising")
    fail_practice(worker)
    first, second = worker.practice_attempts.all()
    assert (first.passed, second.passed) == (False, None)
    assert first.lengths != second.lengths
    event = Event.objects.get()
    assert (event.kind, event.check_name, event.attempt) == ("practice_failed", "a", 1)
    pass_practice(worker)
    worker.refresh_from_db()
    assert worker.state == "ready"


def test_three_failed_attempts_screen_out() -> None:
    worker = make_worker(make_study(), upto="practising")
    for _ in range(3):
        fail_practice(worker)
    worker.refresh_from_db()
    assert worker.state == "screened_out"
    assert worker.practice_attempts.count() == 3
    kinds = list(Event.objects.values_list("kind", "attempt"))
    assert kinds == [*(("practice_failed", attempt) for attempt in (1, 2, 3)), ("screened_out", 3)]
    assert reserve_unit(participation=worker, now=NOW, rng=Random(1)) is None


@pytest.mark.parametrize("text", ["", "0", "-1", "NaN", "inf", "1,000", "many"])
def test_check_s_asks_again_at_once(text: str) -> None:
    worker = make_worker(make_study(), upto="practising")
    outcome = answer(worker, text)
    assert outcome.kind == Kind.INVALID
    assert outcome.faults["magnitude"]
    assert worker.practice_attempts.get().magnitudes == []


def test_same_form_again() -> None:
    worker = make_worker(make_study(), upto="practising")
    assert answer(worker, "1/2").kind == Kind.MOVED
    assert answer(worker, "0.5").kind == Kind.MOVED  # the same number
    assert answer(worker, "7").kind == Kind.STALE
    assert answer(worker, "7", line=2).kind == Kind.STALE  # a line that was not shown yet
    assert answer(worker, "7", attempt=2).kind == Kind.STALE
    assert worker.practice_attempts.get().magnitudes == [0.5]


def test_before_and_after_practice_its_form_changes_nothing() -> None:
    study = make_study()
    for step in ("consented", "ready"):
        worker = make_worker(study, upto=step)
        assert answer(worker, "3").kind == Kind.MOVED
        assert worker.practice_attempts.filter(passed=None).count() == 0

"""Check (b): the comprehension question, and how judging begins."""

from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from judging.models import Event, Judgment, Participation
from judging.worker.services.comprehension import answer_question
from judging.worker.services.outcome import Kind, Outcome
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
    answer_wrongly,
    later,
    live_assignment,
    make_study,
    make_worker,
    right_place,
)

pytestmark = pytest.mark.django_db


def answer(worker: Participation, place: int | None, *, number: int = 1) -> Outcome:
    return answer_question(participation=worker, number=number, place=place, now=NOW, rng=Random(3))


def test_question_right_begins_judging_with_the_unit_and_the_anchors() -> None:
    worker = make_worker(make_study(), upto="question")
    assert answer_rightly(worker).kind == Kind.MOVED
    assignment = live_assignment(worker)
    shown = list(assignment.judgments.order_by("position").select_related("pool_document"))
    unit = set(assignment.unit.unit_documents.values_list("pool_document", flat=True))
    assert assignment.state == "judging"
    assert [item.position for item in shown] == list(range(8))
    assert sorted(item.pool_document.anchor for item in shown) == [""] * 6 + ["H", "N"]
    assert {item.pool_document_id for item in shown if not item.pool_document.anchor} == unit
    assert all((item.raw_input, item.number, item.justification) == ("", None, "") for item in shown)


def test_the_order_is_drawn_for_each_assignment() -> None:
    study = make_study(topics=1)
    orders = {
        tuple(live_assignment(worker).judgments.order_by("position").values_list("pool_document", flat=True))
        for worker in [make_worker(study, upto="judging") for _ in range(6)]
    }
    assert len(orders) > 1


def test_anchors_are_placed_anywhere_in_a_unit() -> None:
    study = make_study(judgments_per_document=30, topics=1)
    for _ in range(25):
        make_worker(study, upto="judging")
    for anchor in "HN":
        at = Judgment.objects.filter(pool_document__anchor=anchor).values_list("position", flat=True)
        assert len(at) == 25
        assert len(set(at)) >= 6


def test_question_wrong() -> None:
    study = make_study(topics=3)
    worker = make_worker(study, upto="question")
    first = live_assignment(worker)
    assert answer_wrongly(worker).kind == Kind.MOVED
    first.refresh_from_db()
    assert (first.state, first.ended_at, first.unit.state) == ("comprehension_failed", NOW, "open")
    event = Event.objects.get()
    wrong = first.option_order[(right_place(first) + 1) % 4]
    assert (event.kind, event.check_name, event.option, event.attempt) == (
        "comprehension_failed",
        "b",
        wrong,
        1,
    )
    second = reserve_unit(participation=worker, now=NOW, rng=Random(1))
    assert second is not None
    assert second.topic != first.topic


def test_pay_for_being_screened_out_takes_its_time() -> None:
    """Right and wrong alike: whether an answer is asked for again tells nothing about it."""
    study = make_study(topics=5)
    worker = make_worker(study)
    study.pay_screened_out = Decimal("0.05")
    study.save()
    worker.refresh_from_db()
    for time in range(3):
        shown = later(10 * time)
        assert reserve_unit(participation=worker, now=shown, rng=Random(time))
        for hasty in (answer_rightly, answer_wrongly):
            assert hasty(worker, now=shown + timedelta(seconds=4.9)).faults.keys() == {"answer"}
        answer_wrongly(worker, now=shown + timedelta(seconds=5))
    worker.refresh_from_db()
    assert (worker.state, worker.compensation) == ("screened_out", Decimal("0.05"))


def test_question_wrong_three_times_screens_out() -> None:
    worker = make_worker(make_study(topics=5))
    for time in range(3):
        assert reserve_unit(participation=worker, now=later(time), rng=Random(time))
        answer_wrongly(worker)
    worker.refresh_from_db()
    assert worker.state == "screened_out"
    assert reserve_unit(participation=worker, now=later(9), rng=Random(9)) is None
    assert list(Event.objects.values_list("kind", "attempt")) == [
        *(("comprehension_failed", time) for time in (1, 2, 3)),
        ("screened_out", 3),
    ]


@pytest.mark.parametrize("place", [None, -1, 4, 99])
def test_no_option_chosen_is_asked_again(place: int | None) -> None:
    worker = make_worker(make_study(), upto="question")
    outcome = answer(worker, place)
    assert (outcome.kind, list(outcome.faults)) == (Kind.INVALID, ["answer"])
    assert live_assignment(worker).state == "question"
    assert not Event.objects.exists()


def test_same_form_again_after_the_right_answer_changes_nothing() -> None:
    worker = make_worker(make_study(), upto="judging")
    before = list(live_assignment(worker).judgments.values_list("pk", "position"))
    for place in range(4):
        assert answer(worker, place).kind == Kind.MOVED
    assert live_assignment(worker).state == "judging"
    assert list(live_assignment(worker).judgments.values_list("pk", "position")) == before


def test_same_form_again_after_a_wrong_answer_counts_once() -> None:
    worker = make_worker(make_study(), upto="question")
    right = right_place(live_assignment(worker))
    answer_wrongly(worker)
    assert answer(worker, right).kind == Kind.MOVED
    assert live_assignment(worker).state == "comprehension_failed"
    assert Event.objects.count() == 1


def test_a_question_never_shown_is_not_answered() -> None:
    worker = make_worker(make_study())
    assert answer(worker, 0).kind == Kind.MOVED
    assert not worker.assignments.exists()

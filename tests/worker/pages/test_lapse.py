"""What a worker sees when the time for a unit ran out, or the study was closed meanwhile."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from judging.core.services.studies import close_study
from judging.models import Assignment, Event, Judgment, Participation, Study, Visit
from judging.worker.services.lapse import expire_assignments
from tests.factories import live_assignment, make_study, make_worker
from tests.support.visitor import Visitor
from tests.worker.pages.actions import REASON, judge, judge_all, stored
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]


@pytest.fixture
def scarce(clock: Clock) -> Study:
    """A study of one topic with a single unit."""
    return make_study(topics=1, judgments_per_document=1, seconds_per_document=0)


def test_acting_after_a_lapse_reinstates_a_unit_that_nobody_took(
    enter: Enter, scarce: Study, clock: Clock
) -> None:
    visitor, worker = enter(scarce, "judging")
    clock.move(minutes=61)
    expire_assignments(now=clock.now)
    assert live_assignment(worker).state == "lapsed"
    assert "2 of 8" in judge(visitor, worker).text
    unit = live_assignment(worker)
    assert (unit.state, unit.unit.state, unit.cursor) == ("judging", "reserved", 1)
    assert Event.objects.filter(kind="reinstated").count() == 1
    clock.move(minutes=59)  # The clock started again.
    assert "3 of 8" in judge(visitor, worker).text
    assert Event.objects.filter(kind="lapsed").count() == 1


def test_the_question_too_can_be_answered_after_a_lapse(enter: Enter, scarce: Study, clock: Clock) -> None:
    visitor, worker = enter(scarce, "question")
    unit = live_assignment(worker)
    clock.move(minutes=61)
    right = unit.option_order.index(unit.topic.question.right_option)
    assert visitor.send("next", answer=right).step == "judge"


def test_coming_back_after_a_lapse_offers_to_go_on(enter: Enter, scarce: Study, clock: Clock) -> None:
    visitor, worker = enter(scarce, "judging")
    judge(visitor, worker)
    clock.move(hours=3)
    expire_assignments(now=clock.now)
    page = visitor.open("/s/study/")
    assert page.step == "units"
    assert page.told() == ["lapsed"]
    assert page.presses() == ["next", "return"]
    page = visitor.send("next")
    assert page.step == "judge"
    assert "2 of 8" in page.text
    assert judge_all(visitor, worker).step == "units"
    assert live_assignment(worker).state == "completed"


def test_leaving_a_lapsed_unit_takes_another_topic_and_deletes_the_answers(
    enter: Enter, study: Study, clock: Clock
) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    clock.move(hours=3)
    expire_assignments(now=clock.now)
    visitor.open("/s/study/")
    assert visitor.send("return").step == "topic"
    assert not Judgment.objects.exists()
    assert worker.assignments.count() == 2


def test_a_lapsed_unit_that_was_taken_shows_the_text_and_then_deletes_it(
    enter: Enter, study: Study, clock: Clock
) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker, reason="My first reason.")
    lost = live_assignment(worker)
    clock.move(hours=3)
    expire_assignments(now=clock.now)
    taken_by_another(lost, clock)
    # The worker, who knows nothing of it yet, sends the second document.
    page = visitor.send("next", magnitude="1/7", justification="My <second> reason.")
    assert page.step == "units"
    assert page.told() == ["lapsed"]
    assert "return" not in page.presses(), "there is nothing to go on with"
    for text in ("My first reason.", "1/7", "My <second> reason."):
        assert text in page.text
    assert visitor.open("/s/study/units/").text == page.text, "a reload shows it again"
    lost.refresh_from_db()
    assert lost.state == "lapsed"
    visitor.send("next")
    assert visitor.page.step == "topic"
    assert stored(lost) == []
    assert not Visit.objects.filter(assignment=lost).exists()


def taken_by_another(lost: Assignment, clock: Clock) -> None:
    """Let other workers come until one of them holds the unit."""
    lost.refresh_from_db()
    while lost.unit.state == "open":
        make_worker(lost.participation.study, upto="question", now=clock.now)
        lost.unit.refresh_from_db()


def test_time_after_the_lapse_does_not_count_however_late_it_is_noticed(
    enter: Enter, scarce: Study, clock: Clock
) -> None:
    visitor, worker = enter(scarce, "judging")
    assignment = live_assignment(worker)
    clock.set(assignment.lapses_at - timedelta(seconds=5))
    visitor.open("/s/study/judge/")  # The visit of the first page goes on; it counts 15 minutes at most.
    judge(visitor, worker)
    clock.move(minutes=30)
    judge(visitor, worker)
    seconds = list(
        Visit.objects.filter(assignment=assignment).order_by("pk").values_list("seconds", flat=True)
    )
    assert seconds[:2] == [900.0, 5.0]
    assert live_assignment(worker).state == "judging"


def test_coming_back_after_an_unnoticed_lapse_begins_a_new_visit(
    enter: Enter, scarce: Study, clock: Clock
) -> None:
    visitor, worker = enter(scarce, "judging")
    clock.move(minutes=90)
    assert visitor.open("/s/study/judge/").step == "judge"
    assert live_assignment(worker).lapses_at == clock.now + timedelta(minutes=60)
    clock.move(seconds=25)
    judge(visitor, worker)
    assert Visit.objects.order_by("pk").values_list("seconds", flat=True)[1] == 25.0


def test_a_month_later_nothing_is_left(enter: Enter, scarce: Study, clock: Clock) -> None:
    visitor, worker = enter(scarce, "judging")
    judge(visitor, worker)
    clock.move(hours=24 * 30)
    page = visitor.open("/s/study/judge/")
    assert page.step == "units"
    assert "ran out" in page.text
    assert live_assignment(worker).state == "lapsed"


def test_what_was_typed_after_a_lapse_is_deleted_after_a_day(
    enter: Enter, scarce: Study, clock: Clock
) -> None:
    visitor, worker = enter(scarce, "judging")
    judge(visitor, worker)
    clock.move(hours=2)  # The time ran out an hour ago; the day counts from there.
    expire_assignments(now=clock.now)
    clock.move(hours=22)
    expire_assignments(now=clock.now)
    assert Judgment.objects.exists()
    clock.move(hours=1)
    expire_assignments(now=clock.now)
    assert not Judgment.objects.exists()
    page = visitor.send("next", magnitude="44", justification="Too late, but mine.")
    assert "Too late, but mine." in page.text
    assert "44" in page.text


def test_a_closed_study_lets_a_live_unit_finish_but_not_a_lapsed_one(
    enter: Enter, study: Study, clock: Clock
) -> None:
    quick, worker = enter(study, "judging")
    slow, slow_worker = enter(study, "judging")
    close_study(study=study, now=clock.now)
    assert judge_all(quick, worker).step == "units"
    assert live_assignment(worker).state == "completed"
    clock.move(hours=2)
    page = judge(slow, slow_worker)
    assert page.step == "units"
    assert page.told() == ["lapsed", "no_work"]
    assert page.presses() == []
    assert REASON in page.text


def test_a_forced_close_says_so_and_names_whom_to_write_to(enter: Enter, study: Study, clock: Clock) -> None:
    visitor, worker = enter(study, "judging")
    close_study(study=study, now=clock.now, force=True)
    page = visitor.open("/s/study/judge/")
    assert page.step == "units"
    assert "cancelled" in page.told()
    assert "study@example.org" in page.text
    assert live_assignment(worker).state == "cancelled"

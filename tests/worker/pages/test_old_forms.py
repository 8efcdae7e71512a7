"""Forms sent twice, from two tabs, after a reload or without a cookie: nothing is overwritten or lost."""

from collections.abc import Callable

import pytest
from django.test import Client

from judging.models import Participation, Study, Visit
from tests.factories import live_assignment
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import REASON, judge, judge_all, stored
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]
OLD = ["stale"]


@pytest.mark.parametrize("press", ["next", "back", "finish"])
def test_the_same_form_again_leads_to_the_current_step(press: str, enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    form = visitor.filled(visitor.page.form_with("magnitude"), "next", magnitude="4", justification=REASON)
    for _ in range(3):
        assert "3 of 8" in visitor.post("/s/study/judge/", form).text
    assert "3 of 8" in visitor.post("/s/study/judge/", form | {"action": press}).text
    unit = live_assignment(worker)
    assert (unit.cursor, unit.back_uses, unit.failed_finishes) == (2, 0, 0)


def test_an_old_form_with_other_content_is_shown_and_overwrites_nothing(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    old = visitor.page.form_with("magnitude")
    judge(visitor, worker)
    before = stored(live_assignment(worker))
    changed = visitor.filled(old, "next", magnitude="1/7", justification="Second\nthoughts <b>")
    page = visitor.post("/s/study/judge/", changed)
    assert page.told() == OLD
    assert "1/7" in page.text
    assert "Second thoughts <b>" in page.text
    assert stored(live_assignment(worker)) == before
    assert "2 of 8" in visitor.open("/s/study/").text


def test_two_tabs_are_one_cursor(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    other = visitor.open("/s/study/judge/")
    first = visitor.open("/s/study/judge/")
    judge(visitor, worker)
    judge(visitor, worker)
    for page, typed in ((other, "9"), (first, "8")):
        sent = visitor.filled(page.form_with("magnitude"), "next", magnitude=typed, justification="Late.")
        assert visitor.post("/s/study/judge/", sent).told() == OLD
    assert live_assignment(worker).cursor == 2


def test_a_form_from_before_going_back_is_an_old_one(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    first = visitor.page.form_with("magnitude")
    judge(visitor, worker)
    visitor.send("back")
    page = visitor.post("/s/study/judge/", visitor.filled(first, "next", magnitude="66", justification="New"))
    assert page.told() == OLD


def test_an_old_form_of_another_unit_touches_neither(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    old = visitor.filled(visitor.page.form_with("magnitude"), "next", magnitude="66", justification="Old")
    visitor.send("return")
    visitor.send("next")
    assert visitor.page.step == "topic"
    page = visitor.post("/s/study/judge/", old)
    assert page.told() == OLD
    assert "66" in page.text
    assert live_assignment(worker).state == "question"


@pytest.mark.parametrize(
    "hidden",
    [
        {"number": "2"},
        {"number": "99999"},
        {"number": "-1"},
        {"serial": "0"},
        {"serial": "999999999"},
        {"position": "7"},
        {"position": "8"},
        {"position": "-1"},
        {"position": ""},
        {"serial": "1²", "number": "x"},
    ],
)
def test_hidden_fields_that_fit_nothing_change_nothing(
    hidden: dict[str, str], enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    sent = visitor.filled(visitor.page.form_with("magnitude"), magnitude="66", justification="Kept?")
    page = visitor.post("/s/study/judge/", sent | hidden)
    assert page.told() == OLD
    assert "Kept?" in page.text
    assert stored(live_assignment(worker)) == [("", "")] * 8
    assert live_assignment(worker).cursor == 0


def test_finish_pressed_twice_completes_once(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    while live_assignment(worker).cursor < 7:
        judge(visitor, worker)
    last = visitor.page.form_with("magnitude")
    page = judge(visitor, worker, press="finish")
    assert page.step == "units"
    code = live_assignment(worker).completion_code
    given = stored(live_assignment(worker))[7]
    again = visitor.filled(last, "finish", magnitude=given[0], justification=given[1])
    assert code in visitor.post("/s/study/judge/", again).text
    assert live_assignment(worker).completion_code == code


def test_finish_pressed_twice_is_one_failed_check(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    while live_assignment(worker).cursor < 7:
        judge(visitor, worker, magnitude=lambda judgment: "5")
    form = visitor.filled(visitor.page.form_with("magnitude"), "finish", magnitude="5", justification=REASON)
    for _ in range(2):
        assert visitor.post("/s/study/judge/", form).told() == ["revise"]
    assert live_assignment(worker).failed_finishes == 1


def test_a_practice_line_sent_twice(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "practising")
    old = visitor.filled(visitor.page.forms[0], "next", magnitude=visitor.page.line())
    assert "Line 2 of 3" in visitor.post("/s/study/practice/", old).text
    assert "Line 2 of 3" in visitor.post("/s/study/practice/", old).text
    page = visitor.post("/s/study/practice/", old | {"magnitude": "7.25"})
    assert page.told() == OLD
    assert "7.25" in page.text
    assert len(worker.practice_attempts.get().magnitudes) == 1


def test_a_question_answered_twice(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "question")
    unit = live_assignment(worker)
    right = unit.option_order.index(unit.topic.question.right_option)
    form = visitor.filled(visitor.page.forms[0], "next", answer=right)
    assert visitor.post("/s/study/topic/", form).step == "judge"
    for answer in (right, (right + 1) % 4):
        assert visitor.post("/s/study/topic/", form | {"answer": str(answer)}).step == "judge"
    assert worker.assignments.count() == 1


def test_a_reload_goes_on_with_one_visit(enter: Enter, study: Study, clock: Clock) -> None:
    visitor, worker = enter(study, "judging")
    for _ in range(3):
        clock.move(seconds=7)
        visitor.open("/s/study/judge/")
    assert Visit.objects.count() == 1
    clock.move(seconds=2)
    judge(visitor, worker)
    assert Visit.objects.order_by("pk").values_list("seconds", flat=True)[0] == 23


def test_a_fault_goes_on_with_the_same_visit(enter: Enter, study: Study, clock: Clock) -> None:
    visitor, worker = enter(study, "judging")
    clock.move(seconds=10)
    visitor.send("next", magnitude="-1")
    clock.move(seconds=10)
    judge(visitor, worker)
    first = live_assignment(worker).judgments.get(position=0)
    assert list(first.visits.values_list("seconds", flat=True)) == [20]


def test_a_form_without_its_token_gives_back_what_was_typed(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    before = stored(live_assignment(worker))
    page = visitor.post("/s/study/judge/", {"magnitude": "1/7", "justification": "Long <i>thoughts</i>"})
    assert page.status == 403
    assert "1/7" in page.text
    assert "Long <i>thoughts</i>" in page.text
    assert "Long &lt;i&gt;" in page.html
    assert stored(live_assignment(worker)) == before


def test_a_lost_worker_cookie_gives_back_what_was_typed(enter: Enter, study: Study) -> None:
    client = Client(enforce_csrf_checks=True)
    _, worker = enter(study, "judging")
    visitor = Visitor(through_client(client))
    visitor.open(f"/s/study/resume/{worker.token}/")
    del client.cookies["plumbline_study"]
    page = visitor.send("next", magnitude="1/7", justification="Long <i>thoughts</i>")
    assert page.status == 403
    assert "1/7" in page.text
    assert "Long <i>thoughts</i>" in page.text
    assert visitor.open("/s/study/judge/").path == "/s/study/"
    page = visitor.open(f"/s/study/resume/{worker.token}/")
    assert judge_all(visitor, worker).step == "units", page.text

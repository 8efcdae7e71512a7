"""The whole way through the pages, and that the server alone knows the step."""

from collections.abc import Callable

import pytest

from judging.models import Event, Participation, Study
from judging.protocol.steps import Step
from tests.factories import answer_wrongly, judge_unit, live_assignment, make_study
from tests.support.problems import problems_in
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent, judge, judge_all, practise, take_topic
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]


def test_the_whole_way_with_twenty_seconds_a_document(clock: Clock, visitor: Visitor) -> None:
    study = make_study(slug="original", topics=2, pay_per_unit="0.20")
    page = consent(visitor, "/s/original/")
    assert page.step == "instructions"
    worker = Participation.objects.get(study=study)
    assert practise(visitor).step == "task"
    page = take_topic(visitor, worker)
    assert page.step == "judge"
    assert "1 of 8" in page.text
    page = judge_all(visitor, worker, between=lambda: clock.move(seconds=20))
    assert page.step == "units"
    assignment = live_assignment(worker)
    assert assignment.state == "completed"
    assert assignment.completion_code in page.text
    assert "0.20 USD" in page.text
    assert not Event.objects.exists()
    first = assignment.topic
    page = take_topic(visitor, worker)
    assert page.step == "judge"
    assert live_assignment(worker).topic != first
    page = judge_all(visitor, worker, between=lambda: clock.move(seconds=20))
    assert all(unit.completion_code in page.text for unit in worker.assignments.all())
    assert page.presses() == []


def at_step(enter: Enter, study: Study, step: Step) -> tuple[Visitor, Participation]:
    """A visitor whose current step this is."""
    upto = {"instructions": "consented", "practice": "practising", "task": "ready", "topic": "question"}
    visitor, worker = enter(study, upto.get(step, "judging" if step == Step.JUDGE else "ready"))
    if step == Step.UNITS:
        judge_unit(worker, seconds=0)
    elif step == Step.END:
        visitor.open(f"/s/{study.slug}/withdraw/")
        visitor.send("next")
    return visitor, worker


@pytest.mark.parametrize("step", Step)
def test_a_wrong_address_leads_to_the_current_step(step: Step, enter: Enter, study: Study) -> None:
    visitor, worker = at_step(enter, study, step)
    place = {Step.PRACTICE: "1/0/", Step.TOPIC: "1/", Step.JUDGE: "1/0/"}
    here = f"/s/study/{step}/{place.get(step, '')}"
    others = ["", *(f"{other}/" for other in Step if other != step), f"resume/{worker.token}/"]
    for address in others + [f"{step}/"] * (step in place):
        reply = visitor.request("GET", f"/s/study/{address}")
        assert (reply.status, reply.header("Location")) == (302, here), address
    for address in (f"practice/{'9' * 30}/0/", "practice/2/0/", "topic/2/", "judge/2/0/", "judge/1/7/"):
        reply = visitor.request("GET", f"/s/study/{address}")
        assert (reply.status, reply.header("Location").split("?")[0]) == (302, here), address
    assert visitor.request("GET", here).status == 200
    assert visitor.request("GET", "/s/study/withdraw/").status == 200


@pytest.mark.parametrize("step", Step)
def test_a_form_sent_to_a_wrong_address_changes_nothing(step: Step, enter: Enter, study: Study) -> None:
    visitor, worker = at_step(enter, study, step)
    visitor.open("/s/study/withdraw/")  # A page with a token for forms, at every step.
    token = visitor.page.value("csrfmiddlewaretoken")
    before = state_of(worker)
    for other in Step:
        if other in {step, Step.INSTRUCTIONS, Step.TASK, Step.UNITS}:
            continue  # The three lead on with one press; sent again they must not do so twice, see below.
        page = visitor.post(f"/s/study/{other}/", {"csrfmiddlewaretoken": token, "magnitude": "7"})
        assert page.status == 200
        assert page.step == step or page.told() == ["stale"]
    assert state_of(worker) == before


@pytest.mark.parametrize("step", [Step.INSTRUCTIONS, Step.TASK, Step.UNITS])
def test_pressing_a_button_that_leads_on_twice_is_pressing_it_once(
    step: Step, enter: Enter, study: Study
) -> None:
    visitor, worker = at_step(enter, study, step)
    page = visitor.open(f"/s/study/{step}/")
    old = visitor.filled(page.form_with("action", "next"), "next")
    visitor.post(f"/s/study/{step}/", old)
    before = state_of(worker)
    assert visitor.post(f"/s/study/{step}/", old).step != step
    assert state_of(worker) == before


def state_of(worker: Participation) -> tuple[object, ...]:
    worker.refresh_from_db()
    attempts = list(worker.practice_attempts.values_list("number", "magnitudes", "passed"))
    units = list(worker.assignments.values_list("number", "state", "cursor", "serial", "back_uses"))
    return worker.state, attempts, units, Event.objects.count()


def test_nobody_known_is_led_to_the_way_in(study: Study) -> None:
    visitor = Visitor(through_client())
    for address in (*(f"{step}/" for step in Step), "withdraw/", "resume/not-a-token/"):
        reply = visitor.request("GET", f"/s/study/{address}")
        assert (reply.status, reply.header("Location")) == (302, "/s/study/"), address
        assert not reply.cookies


def test_practice_passed_by_the_order_of_the_lines_alone(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "practising")
    seen = []
    for line in range(3):
        assert f"Line {line + 1} of 3" in visitor.page.text
        seen.append(visitor.page.line())
        visitor.send("next", magnitude=f"1e{visitor.page.line() / 100:.0f}")
    assert seen == worker.practice_attempts.get().lengths
    assert visitor.page.step == "task"


def test_practice_failed_starts_over_with_new_lines_until_the_tries_are_used_up(
    enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "practising")
    for attempt in (1, 2, 3):
        if attempt > 1:
            assert visitor.page.told() == ["practice_failed"]
        for _ in range(3):
            visitor.send("next", magnitude="5")
    assert visitor.page.step == "end"
    assert visitor.page.told() == ["screened_out"]
    kinds = list(Event.objects.values_list("kind", "attempt"))
    assert kinds == [("practice_failed", n) for n in (1, 2, 3)] + [("screened_out", 3)]
    worker.refresh_from_db()
    assert worker.state == "screened_out"


def test_a_number_that_cannot_be_read_is_asked_for_again_on_the_same_line(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "practising")
    line = visitor.page.line()
    page = visitor.send("next", magnitude="-5 cm")
    assert page.value("magnitude") == "-5 cm"
    assert [field for field, _ in problems_in(page.html)] == ["magnitude"]
    assert page.line() == line
    assert worker.practice_attempts.get().magnitudes == []


def test_a_question_without_an_answer_is_asked_again(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "question")
    for answer in ({}, {"answer": "4"}, {"answer": "-1"}, {"answer": "x"}, {"answer": "9" * 40}):
        page = visitor.post("/s/study/topic/", visitor.filled(visitor.page.forms[0]) | answer)
        assert page.step == "topic"
        assert [field for field, _ in problems_in(page.html)] == ["answer"]
    assert live_assignment(worker).state == "question"


def test_options_stand_in_the_order_drawn_for_the_assignment(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "question")
    assignment = live_assignment(worker)
    shown = [assignment.topic.question.options[option] for option in assignment.option_order]
    places = [visitor.page.html.index(option) for option in shown]
    assert places == sorted(places)
    assert visitor.page.form_with("answer").choices["answer"] == ["0", "1", "2", "3"]


def test_a_wrong_answer_ends_the_unit_and_offers_another_topic(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "question")
    first = live_assignment(worker)
    wrong = (first.option_order.index(first.topic.question.right_option) + 1) % 4
    page = visitor.send("next", answer=wrong)
    assert page.step == "units"
    assert page.told() == ["comprehension_failed"]
    first.refresh_from_db()
    assert (first.state, first.unit.state) == ("comprehension_failed", "open")
    assert take_topic(visitor, worker).step == "judge"
    assert live_assignment(worker).topic != first.topic


def test_three_wrong_answers_screen_out(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "question")
    for _ in range(2):
        answer_wrongly(worker)
        visitor.open("/s/study/units/")
        visitor.send("next")
    assignment = live_assignment(worker)
    wrong = (assignment.option_order.index(assignment.topic.question.right_option) + 1) % 4
    assert visitor.send("next", answer=wrong).step == "end"


def test_the_topic_is_readable_on_every_document(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    topic = live_assignment(worker).topic
    for place in range(1, 9):
        assert f"{place} of 8" in visitor.page.text
        assert all(text in visitor.page.text for text in (topic.title, topic.description, topic.narrative))
        judge(visitor, worker, press="next" if place < 8 else "finish")


def test_front_page_and_a_study_that_is_not_there(clock: Clock, visitor: Visitor) -> None:
    assert visitor.open("/").status == 200
    assert visitor.open("/s/no-such-study/").status == 404
    assert visitor.open("/s/no-such-study/judge/").step == "no-such-study"
    assert visitor.page.status == 404

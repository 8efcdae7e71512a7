"""Between units: giving one back, the codes, and another topic."""

from collections.abc import Callable

import pytest

from judging.core.services.studies import close_study
from judging.models import Judgment, Participation, Study
from tests.factories import live_assignment
from tests.support.visitor import Visitor
from tests.worker.pages.actions import judge, judge_all, take_topic

Enter = Callable[..., tuple[Visitor, Participation]]


@pytest.mark.parametrize("upto", ["question", "judging"])
def test_giving_a_unit_back(upto: str, enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, upto)
    if upto == "judging":
        judge(visitor, worker)
    page = visitor.send("return")
    assert page.step == "units"
    assert page.told() == ["returned"]
    unit = live_assignment(worker)
    assert (unit.state, unit.unit.state) == ("returned", "open")
    assert not Judgment.objects.exists()
    assert visitor.send("next").step == "topic"
    assert live_assignment(worker).topic != unit.topic


def test_giving_back_by_an_old_page_returns_no_later_unit(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "question")
    old = visitor.filled(visitor.page.form_with("action", "return"), "return")
    visitor.post("/s/study/topic/", old)
    visitor.send("next")
    assert visitor.post("/s/study/topic/", old).step == "topic"
    assert live_assignment(worker).state == "question"


def test_every_code_is_shown_with_its_pay(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    for _ in range(3):
        take_topic(visitor, worker)
        page = judge_all(visitor, worker)
    codes = [unit.completion_code for unit in worker.assignments.all()]
    assert len(set(codes)) == 3
    assert page.text.count("0.20 USD") == 3
    for code, unit in zip(codes, worker.assignments.all(), strict=True):
        assert code in page.text
        assert unit.topic.title in page.text
    assert page.presses() == [], "nobody gets a topic twice"


def test_another_topic_is_not_offered_when_the_last_unit_was_just_taken(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    take_topic(visitor, worker)
    judge_all(visitor, worker)
    assert visitor.page.presses() == ["next"]
    close_study(study=study, now=worker.consented_at)
    page = visitor.send("next")
    assert page.step == "units"
    assert "no_work" in page.told()
    assert live_assignment(worker).completion_code in page.text
    assert worker.assignments.count() == 1

"""A study with the preset of [T15]: what its workers read, and how often they can try."""

import re

import pytest

from judging.models import Participation, Study
from judging.protocol.presets import PRESETS
from tests.factories import live_assignment, make_study, right_place
from tests.support.integrity import broken_invariants
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent, judge, judge_all, measure_lines, practise, take_topic
from tests.worker.pages.conftest import Clock

MESSAGE = "Your job is not accurate enough. You can revise your work to finish the task."
PAPER = "turpin2015"
TIMES = 5
"""More than the usual limits."""


@pytest.fixture
def study(clock: Clock) -> Study:
    return make_study(topics=TIMES + 1, preset=PAPER, **PRESETS[PAPER].values)


@pytest.fixture
def visitor(study: Study) -> Visitor:
    return Visitor(through_client())


def names_the_seconds(text: str, study: Study) -> bool:
    return re.search(rf"\b{study.seconds_per_document:g}\b", text) is not None


@pytest.mark.parametrize(("announced", "told"), [("yes", True), ("no", False)])
def test_the_information_page_announces_the_seconds_if_the_study_says_so(
    visitor: Visitor, study: Study, announced: str, told: bool
) -> None:
    Study.objects.update(seconds_announced=announced)
    assert names_the_seconds(visitor.open("/s/study/").text, study) is told


def test_a_failure_of_time_alone_has_the_papers_words(visitor: Visitor, study: Study, clock: Clock) -> None:
    consent(visitor, "/s/study/")
    worker = Participation.objects.get()
    practise(visitor)
    take_topic(visitor, worker)
    page = judge_all(visitor, worker, between=lambda: clock.move(seconds=19.9))
    assert live_assignment(worker).failed_checks == {"d": 1}
    assert MESSAGE in page.text
    assert not names_the_seconds(page.text, study)


def test_workers_can_fail_the_practice_and_questions_as_often_as_they_want(visitor: Visitor) -> None:
    consent(visitor, "/s/study/")
    worker = Participation.objects.get()
    visitor.send("next")
    for _ in range(TIMES):
        for _ in range(3):
            visitor.send("next", magnitude="1")
        assert "practice_failed" in visitor.page.told()
    measure_lines(visitor)
    for _ in range(TIMES):
        visitor.send("next")
        visitor.send("next", answer=(right_place(live_assignment(worker)) + 1) % 4)
    worker.refresh_from_db()
    assert (worker.state, worker.assignments.filter(state="comprehension_failed").count()) == ("ready", TIMES)
    take_topic(visitor, worker)
    assert live_assignment(worker).state == "judging"


def test_equal_anchors_pass_after_any_number_of_failed_attempts(
    visitor: Visitor, study: Study, clock: Clock
) -> None:
    consent(visitor, "/s/study/")
    worker = Participation.objects.get()
    practise(visitor)
    take_topic(visitor, worker)
    judge_all(
        visitor,
        worker,
        magnitude=lambda judgment: {"H": "1", "N": "9"}.get(judgment.pool_document.anchor, "5"),
        between=lambda: clock.move(seconds=20),
    )
    for number in range(TIMES):
        visitor.send("finish", justification=f"Another reason, {number}.")
    assert live_assignment(worker).failed_checks == {"c": TIMES + 1}
    for position in range(study.unit_size):
        visitor.send(go=str(position))
        judge(visitor, worker, press="finish", magnitude=lambda judgment: "5")
        if worker.assignments.get().state == "completed":
            break
    assert worker.assignments.get().state == "completed"
    assert broken_invariants(study) == []

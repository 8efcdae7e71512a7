"""The end pages: withdrawn, blocked, screened out; the codes of completed units stay on them."""

from collections.abc import Callable

from judging.models import Judgment, Participation, Study
from judging.watching.services.workers import block_worker
from tests.factories import answer_wrongly, fail_practice, judge_unit, live_assignment, make_study
from tests.support.visitor import Visitor
from tests.worker.pages.actions import judge, take_topic
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]


def test_withdrawing_gives_the_live_unit_back_and_keeps_completed_ones(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    code = live_assignment(worker).completion_code
    visitor.open("/s/study/units/")
    take_topic(visitor, worker)
    judge(visitor, worker)
    assert code in visitor.open("/s/study/pay/").text
    visitor.open("/s/study/withdraw/")
    page = visitor.send("next")
    assert page.step == "end"
    assert page.told() == ["withdrawn"]
    assert code in page.text
    assert [unit.state for unit in worker.assignments.all()] == ["completed", "returned"]
    assert Judgment.objects.count() == 8
    assert visitor.open("/s/study/").step == "end"


def test_withdrawing_with_deletion_keeps_the_code_and_no_judgment(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    visitor.open("/s/study/withdraw/")
    page = visitor.send("next", delete_judgments="yes")
    assert live_assignment(worker).completion_code in page.text
    assert not Judgment.objects.exists()
    assert live_assignment(worker).unit.state == "open"


def test_staying_changes_nothing(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    visitor.open("/s/study/withdraw/")
    assert visitor.send("back").step == "judge"
    assert live_assignment(worker).state == "judging"


def test_a_blocked_worker_sees_a_neutral_page_and_the_codes(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    visitor.open("/s/study/units/")
    take_topic(visitor, worker)
    form = visitor.filled(visitor.page.form_with("magnitude"), magnitude="9", justification="Mine.")
    block_worker(participation=worker, now=worker.consented_at)
    page = visitor.post("/s/study/judge/", form)
    assert "Mine." in page.text
    page = visitor.open("/s/study/judge/")
    assert page.step == "end"
    assert "block" not in page.html.lower()
    assert worker.assignments.get(number=1).completion_code in page.text
    assert worker.assignments.get(number=2).state == "cancelled"


def test_who_is_screened_out_keeps_no_way_on(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "practising")
    for _ in range(3):
        fail_practice(worker)
    page = visitor.open("/s/study/")
    assert page.step == "end"
    assert page.forms == []


def test_who_is_screened_out_by_the_questions_keeps_the_code(clock: Clock, enter: Enter) -> None:
    study = make_study(topics=4, seconds_per_document=0)
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    code = live_assignment(worker).completion_code
    for _ in range(3):
        assert code in visitor.open("/s/study/units/").text
        visitor.send("next")
        answer_wrongly(worker)
    page = visitor.open("/s/study/")
    assert page.step == "end"
    assert code in page.text

"""Why there is no work: each reason, at each step from arrival to the page between units."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.template.loader import render_to_string

from judging.core.services.studies import close_study, pause_study
from judging.models import Participation, PracticeAttempt, Study, Unit
from judging.protocol.states import NoWork
from tests.factories import NOW, judge_unit, later, live_assignment, make_study, make_worker
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import judge_all
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]

NO_WORK_URL = "https://platform.example/no-work"


def paused(study: Study) -> None:
    pause_study(study=study, now=later())


def closed(study: Study) -> None:
    close_study(study=study, now=later())


def not_yet(study: Study) -> None:
    Study.objects.update(opens_at=later(hours=1))


def over(study: Study) -> None:
    Study.objects.update(closes_at=later())


def all_done(study: Study) -> None:
    Unit.objects.filter(state="open").update(state="done")


def all_done_and_paused(study: Study) -> None:
    all_done(study)
    paused(study)


def reserved(study: Study) -> None:
    Unit.objects.filter(state="open").update(state="reserved")


def without_money(study: Study) -> None:
    Study.objects.update(spending_limit=0)


REASONS = {
    paused: "paused",
    closed: "closed",
    not_yet: "not_yet",
    over: "over",
    all_done: "all_done",
    all_done_and_paused: "all_done",
    reserved: "reserved",
    without_money: "money",
}


@pytest.fixture
def study(clock: Clock) -> Study:
    """A study on a platform that pays, whose link for workers without a unit is `NO_WORK_URL`."""
    return make_study(
        topics=3,
        seconds_per_document=0,
        pay_per_unit="0.20",
        platform="generic",
        id_parameter="PID",
        no_work_url=NO_WORK_URL,
        completion_url="https://platform.example/done?cc={code}",
    )


@pytest.fixture(params=REASONS, ids=lambda stop: stop.__name__)
def stop(request: pytest.FixtureRequest) -> Callable[[Study], None]:
    """One way in which work ends."""
    return request.param


def test_at_arrival_and_at_consent(stop: Callable[[Study], None], study: Study, visitor: Visitor) -> None:
    visitor.open("/s/study/?PID=person-1")
    form = visitor.filled(visitor.page.forms[0], consent="yes")
    stop(study)
    page = visitor.open("/s/study/?PID=person-1")
    assert (page.status, page.forms, page.told()[-1], page.why()) == (200, [], "no_work", REASONS[stop])
    assert NO_WORK_URL in page.links()
    page = visitor.post("/s/study/?PID=person-1", form)
    assert (page.status, page.told(), page.why()) == (409, ["refused", "no_work"], REASONS[stop])
    assert NO_WORK_URL in page.links()
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()


@pytest.mark.parametrize("upto", ["consented", "practising"])
def test_nobody_starts_or_goes_on_with_the_practice(
    upto: str, stop: Callable[[Study], None], study: Study, enter: Enter
) -> None:
    visitor, worker = enter(study, upto)
    path = visitor.page.path
    form = visitor.filled(visitor.page.forms[0], "next")
    before = list(PracticeAttempt.objects.values())
    stop(study)
    for page in (visitor.open(path), visitor.post(path, form | {"magnitude": "5.125"})):
        assert (page.status, page.forms, page.told(), page.why()) == (200, [], ["no_work"], REASONS[stop])
        assert NO_WORK_URL in page.links()
    assert "5.125" in visitor.page.text, "what was typed is shown"
    worker.refresh_from_db()
    assert worker.state == upto
    assert list(PracticeAttempt.objects.values()) == before


def test_at_the_task_the_practice_stays_passed(
    stop: Callable[[Study], None], study: Study, enter: Enter
) -> None:
    visitor, worker = enter(study)
    form = visitor.filled(visitor.page.forms[0], "next")
    stop(study)
    for page in (visitor.open("/s/study/task/"), visitor.post("/s/study/task/", form)):
        assert (page.step, page.forms, page.told(), page.why()) == ("task", [], ["no_work"], REASONS[stop])
        assert NO_WORK_URL in page.links()
    worker.refresh_from_db()
    assert (worker.state, worker.assignments.count()) == ("ready", 0)


def test_a_live_unit_can_be_finished_and_the_next_page_says_why_it_was_the_last(
    stop: Callable[[Study], None], study: Study, enter: Enter
) -> None:
    visitor, worker = enter(study, "judging")
    stop(study)
    page = judge_all(visitor, worker)
    assert live_assignment(worker).state == "completed"
    assert (page.step, page.forms, page.told()) == ("units", [], ["completed", "no_work"])
    assert page.why() == REASONS[stop]
    assert any(link.startswith("https://platform.example/done") for link in page.links())


@pytest.mark.parametrize("stop", [paused, closed, over])
def test_the_last_page_offers_nothing(stop: Callable[[Study], None], study: Study, enter: Enter) -> None:
    visitor, _ = enter(study)
    Participation.objects.update(state="screened_out")
    stop(study)
    page = visitor.open("/s/study/")
    assert (page.step, page.forms, page.told(), page.why()) == ("end", [], ["screened_out"], "")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"max_units_per_worker": 1}, "worker"),
        ({"max_units_per_visit": 1}, "visit"),
        ({"topics": 1}, "every_topic"),
        ({"topics": 1, "max_units_per_visit": 1}, "every_topic"),
    ],
)
def test_a_worker_who_can_get_no_more(settings: dict[str, int], why: str, clock: Clock, enter: Enter) -> None:
    study = make_study(**{"topics": 3, "seconds_per_document": 0, **settings})
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    page = visitor.open("/s/study/")
    assert (page.told(), page.why()) == (["completed", "no_work"], why)
    if why != "visit":
        pause_study(study=study, now=later())
        assert visitor.open("/s/study/").why() == why, "this stays, and a pause passes"
    close_study(study=study, now=later())
    assert visitor.open("/s/study/").why() == "closed"


@pytest.mark.parametrize("language", ["en", "de", "ar"])
@pytest.mark.parametrize("field", ["opens_at", "closes_at"])
def test_dates_are_in_utc(field: str, language: str, clock: Clock, visitor: Visitor) -> None:
    moment = NOW + timedelta(days=1 if field == "opens_at" else -1)
    make_study(language=language)
    Study.objects.update(**{field: moment})
    page = visitor.open("/s/study/")
    assert [tag["datetime"] for name, tag in page.tags if name == "time"] == [moment.isoformat()]
    assert "UTC" in page.text


def test_what_others_hold_can_become_free(study: Study, clock: Clock) -> None:
    Unit.objects.exclude(pk=Unit.objects.earliest("pk").pk).update(state="done")
    make_worker(study, upto="question", now=clock.now)
    visitor = Visitor(through_client())
    assert visitor.open("/s/study/?PID=x").why() == "reserved"
    clock.move(minutes=61)
    assert visitor.open("/s/study/?PID=x").why() == ""
    assert visitor.page.forms


def test_every_reason_has_its_own_text(study: Study) -> None:
    elsewhere = {NoWork.NO_TOPIC}  # which only a preview can show
    reasons = set(NoWork) - elsewhere
    pages = [render_to_string("worker/_no_work.html", {"study": study, "no_work": why}) for why in reasons]
    assert len({page.partition("data-why=")[2].partition(">")[2] for page in pages}) == len(reasons)

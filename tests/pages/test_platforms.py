"""Links from and to crowd platforms: who comes, who comes back, and where they are sent."""

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from judging.models import Participation, PlatformIdentity, PlatformSubmission, Study
from judging.services.leaving import erase_identity
from tests.factories import NOW, fail_practice, judge_unit, live_assignment, make_study, make_worker
from tests.pages.conftest import Clock
from tests.pages.deeds import consent
from tests.support.visitor import Visitor, through_client

Enter = Callable[..., tuple[Visitor, Participation]]


@pytest.fixture
def platform_study(clock: Clock) -> Study:
    return make_study(
        topics=1,
        seconds_per_document=0,
        judgments_per_document=1,
        platform="generic",
        id_parameter="PROLIFIC_PID",
        submission_parameter="SESSION_ID",
        completion_url="https://platform.example/done?cc={code}&sub={submission}",
        no_work_url="https://platform.example/no-work",
        screen_out_url="https://platform.example/screened",
    )


def link(person: str, submission: str = "") -> str:
    ids = f"PROLIFIC_PID={quote(person)}" + (f"&SESSION_ID={quote(submission)}" if submission else "")
    return f"/s/study/?{ids}"


def submissions() -> list[str]:
    return list(PlatformSubmission.objects.order_by("pk").values_list("submission_id", flat=True))


def test_the_platforms_ids_stand_in_rows_of_their_own(platform_study: Study, visitor: Visitor) -> None:
    assert consent(visitor, link("person 1/ü", "visit-1")).step == "instructions"
    identity = PlatformIdentity.objects.get()
    assert identity.platform_id == "person 1/ü"
    assert submissions() == ["visit-1"]
    assert "person" not in identity.participation.pseudonym


def test_coming_back_without_a_cookie_leads_to_the_current_step(platform_study: Study) -> None:
    consent(Visitor(through_client()), link("person-1", "visit-1"))
    again = Visitor(through_client())
    assert again.open(link("person-1", "visit-2")).step == "instructions"
    assert any("plumbline_study=" in cookie for cookie in again.seen[0].cookies)
    assert again.open(link("person-1", "visit-2")).step == "instructions"
    assert Participation.objects.count() == 1
    assert submissions() == ["visit-1", "visit-2"]


def test_two_people_at_one_computer_are_two_participations(platform_study: Study, visitor: Visitor) -> None:
    consent(visitor, link("person-1"))
    visitor.send("next")
    assert visitor.page.step == "practice"
    page = visitor.open(link("person-2"))
    assert page.path == "/s/study/"
    assert "I agree" in page.html
    assert visitor.send(consent="yes").step == "instructions"
    assert visitor.open("/s/study/").step == "instructions"
    assert visitor.open(link("person-1")).step == "practice"
    assert Participation.objects.count() == 2


def test_consenting_twice_with_one_id_is_one_participation(platform_study: Study) -> None:
    first, second = Visitor(through_client()), Visitor(through_client())
    first.open(link("person-1", "visit-1"))
    second.open(link("person-1", "visit-2"))
    first.send(consent="yes")
    second.send(consent="yes")
    assert Participation.objects.count() == 1
    assert submissions() == ["visit-1", "visit-2"]


def test_a_forgotten_person_comes_as_a_new_one(platform_study: Study, visitor: Visitor) -> None:
    consent(visitor, link("person-1"))
    erase_identity(participation=Participation.objects.get(), now=NOW)
    assert consent(Visitor(through_client()), link("person-1")).step == "instructions"
    assert Participation.objects.count() == 2


@pytest.mark.parametrize(("length", "status"), [(200, 200), (201, 400), (5000, 400)])
@pytest.mark.parametrize("parameter", ["PROLIFIC_PID", "SESSION_ID"])
def test_an_id_that_is_too_long_is_refused(
    parameter: str, length: int, status: int, platform_study: Study, visitor: Visitor
) -> None:
    address = f"/s/study/?PROLIFIC_PID=p&{parameter}={'x' * length}"
    assert visitor.request("GET", address).status == status
    reply = visitor.request("POST", address, {"consent": "yes"})
    assert reply.status == (302 if status == 200 else 400)
    assert Participation.objects.count() == (status == 200)


def test_a_plain_link_takes_no_id_from_the_address(clock: Clock, visitor: Visitor) -> None:
    make_study()
    consent(visitor, "/s/study/?PROLIFIC_PID=person-1&=x&id=7")
    assert not PlatformIdentity.objects.exists()


def test_the_completion_link_carries_code_and_submission_quoted(
    platform_study: Study, visitor: Visitor
) -> None:
    worker = make_worker(platform_study, platform_id="person-1", submission_id="earlier")
    visitor.open(link("person-1", "a&b=c/ü #"))
    judge_unit(worker, seconds=0)
    page = visitor.open("/s/study/")
    (target,) = (href for href in page.links() if href.startswith("https://platform.example/done"))
    code = live_assignment(worker).completion_code
    assert target == f"https://platform.example/done?cc={code}&sub={quote('a&b=c/ü #', safe='')}"
    assert parse_qs(urlsplit(target).query) == {"cc": [code], "sub": ["a&b=c/ü #"]}
    assert code in page.text


def test_no_work_leads_back_to_the_platform_and_burns_nothing(
    platform_study: Study, visitor: Visitor
) -> None:
    make_worker(platform_study, upto="question", platform_id="quicker")
    worker = make_worker(platform_study, platform_id="person-1")
    page = visitor.open(link("person-1"))
    assert page.step == "task"
    assert "no work for you" in page.text
    assert "https://platform.example/no-work" in page.links()
    assert page.forms == []
    assert not worker.assignments.exists()


def test_the_last_unit_taken_in_this_moment_is_no_work(platform_study: Study, visitor: Visitor) -> None:
    worker = make_worker(platform_study, platform_id="person-1")
    visitor.open(link("person-1"))
    make_worker(platform_study, upto="question", platform_id="quicker")
    page = visitor.send("next")
    assert page.step == "task"
    assert "https://platform.example/no-work" in page.links()
    assert not worker.assignments.exists()


def test_who_is_screened_out_is_sent_back(platform_study: Study, visitor: Visitor) -> None:
    worker = make_worker(platform_study, upto="practising", platform_id="person-1")
    for _ in range(3):
        fail_practice(worker)
    page = visitor.open(link("person-1"))
    assert page.step == "end"
    assert "https://platform.example/screened" in page.links()


def test_a_direct_study_sends_nobody_anywhere(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    page = visitor.open("/s/study/")
    assert all(href.startswith(("/", "#")) for href in page.links())

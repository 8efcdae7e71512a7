"""Links from and to crowd platforms: who comes, who comes back, and where they are sent."""

from collections.abc import Callable
from random import Random
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest

from judging.core.services.ending import screen_out
from judging.core.services.studies import close_study
from judging.models import Participation, PlatformIdentity, PlatformSubmission, Study
from judging.protocol.platforms.ids import IdFault
from judging.watching.services.workers import block_worker, erase_identity, free_reservation
from judging.worker.pages.refusals import ID_FAULTS
from judging.worker.services.leaving import return_unit, withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_wrongly,
    fail_practice,
    form,
    judge_unit,
    live_assignment,
    make_study,
    make_worker,
    send,
    tied,
)
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import come_back, consent
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]


@pytest.fixture
def platform_study(clock: Clock) -> Study:
    return make_study(topics=1, seconds_per_document=0, judgments_per_document=1, **platform())


def platform() -> dict[str, str]:
    return {
        "platform": "generic",
        "id_parameter": "PROLIFIC_PID",
        "submission_parameter": "SESSION_ID",
        "completion_url": "https://platform.example/done?cc={code}&sub={submission}",
        "no_work_url": "https://platform.example/no-work",
        "screen_out_url": "https://platform.example/screened",
    }


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
    assert come_back(again, link("person-1", "visit-2")).step == "instructions"
    assert any("plumbline_study=" in cookie for cookie in again.seen[1].cookies)
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
    assert come_back(visitor, link("person-1")).step == "practice"
    assert Participation.objects.count() == 2


def test_consenting_twice_with_one_id_is_one_participation(platform_study: Study) -> None:
    first, second = Visitor(through_client()), Visitor(through_client())
    first.open(link("person-1", "visit-1"))
    second.open(link("person-1", "visit-2"))
    first.send(consent="yes")
    assert second.send(consent="yes").told() == ["come_back"]
    assert submissions() == ["visit-1"]
    second.send(**{"continue": "yes"})
    assert Participation.objects.count() == 1
    assert submissions() == ["visit-1", "visit-2"]


def test_a_forgotten_person_cannot_begin_again(platform_study: Study, visitor: Visitor) -> None:
    consent(visitor, link("person-1"))
    erase_identity(participation=Participation.objects.get(), now=NOW)
    stranger = Visitor(through_client())
    page = stranger.open(link("person-1"))
    assert (page.status, page.forms) == (403, [])
    assert stranger.post(link("person-1"), {"consent": "yes"}).status == 403
    assert Participation.objects.count() == 1


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
    visitor.open(f"/s/study/resume/{worker.token}/")
    come_back(visitor, link("person-1", "a&b=c/ü #"))
    judge_unit(worker, seconds=0)
    page = visitor.open("/s/study/")
    (target,) = (href for href in page.links() if href.startswith("https://platform.example/done"))
    code = live_assignment(worker).completion_code
    assert target == f"https://platform.example/done?cc={code}&sub={quote('a&b=c/ü #', safe='')}"
    assert parse_qs(urlsplit(target).query) == {"cc": [code], "sub": ["a&b=c/ü #"]}


def test_no_work_leads_back_to_the_platform_and_burns_nothing(
    platform_study: Study, visitor: Visitor
) -> None:
    make_worker(platform_study, upto="question", platform_id="quicker")
    worker = make_worker(platform_study, platform_id="person-1")
    page = come_back(visitor, link("person-1"))
    assert page.step == "task"
    assert page.told() == ["no_work"]
    assert "https://platform.example/no-work" in page.links()
    assert page.forms == []
    assert not worker.assignments.exists()


def test_the_last_unit_taken_in_this_moment_is_no_work(platform_study: Study, visitor: Visitor) -> None:
    worker = make_worker(platform_study, platform_id="person-1")
    come_back(visitor, link("person-1"))
    make_worker(platform_study, upto="question", platform_id="quicker")
    page = visitor.send("next")
    assert page.step == "task"
    assert "https://platform.example/no-work" in page.links()
    assert not worker.assignments.exists()


def test_who_is_screened_out_is_sent_back(platform_study: Study, visitor: Visitor) -> None:
    worker = make_worker(platform_study, upto="practising", platform_id="person-1")
    for _ in range(3):
        fail_practice(worker)
    page = come_back(visitor, link("person-1"))
    assert page.step == "end"
    assert "https://platform.example/screened" in page.links()


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?PROLIFIC_PID=",
        "?prolific_pid=person-1",
        "?PROLIFIC_PID={{%25PROLIFIC_PID%25}}",
        "?PROLIFIC_PID=$%7Bworker%7D",
        "?PROLIFIC_PID=person-1&SESSION_ID={{%25SESSION_ID%25}}",
    ],
)
def test_a_link_without_an_id_is_refused_and_nothing_is_stored(
    query: str, platform_study: Study, visitor: Visitor
) -> None:
    fault = IdFault.PLACEHOLDER if "{" in unquote(query) else IdFault.MISSING
    for page in (visitor.open(f"/s/study/{query}"), visitor.post(f"/s/study/{query}", {"consent": "yes"})):
        assert (page.status, page.forms) == (403, [])
        assert str(ID_FAULTS[fault].reason) in page.text
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()
    consent(visitor, link("person-1"))
    assert visitor.open("/s/study/").step == "instructions", "who has begun goes on without an id"


# --- the one way back --------------------------------------------------------------------------------------


def goes_back_to(visitor: Visitor) -> list[str]:
    """The last parts of the addresses of the platform that the page leads to."""
    page = visitor.open("/s/study/")
    return [urlsplit(href).path[1:] for href in page.links() if href.startswith("https://platform.example/")]


def _checks_fail(worker: Participation) -> None:
    judge_unit(worker, seconds=0, magnitude=tied)
    for number in ("once more", "and again"):
        send(worker, form(worker, "5", number), action="finish")
    assert live_assignment(worker).state == "checks_failed"


def _give_back(worker: Participation) -> None:
    reserve_unit(participation=worker, now=NOW, rng=Random(1))
    return_unit(participation=worker, now=NOW)


def _answer_wrongly(worker: Participation) -> None:
    reserve_unit(participation=worker, now=NOW, rng=Random(1))
    answer_wrongly(worker)


def _lose_the_unit(worker: Participation) -> None:
    _leave_open(worker)
    close_study(study=worker.study, now=NOW, force=True)


def _leave_open(worker: Participation) -> None:
    reserve_unit(participation=worker, now=NOW, rng=Random(1))


def _lapse(worker: Participation) -> None:
    _leave_open(worker)
    free_reservation(participation=worker, number=live_assignment(worker).number, now=NOW)


def _withdraw(worker: Participation) -> None:
    withdraw(participation=worker, delete_judgments=False, now=NOW)


def _block(worker: Participation) -> None:
    block_worker(participation=worker, now=NOW)


def _screen_out(worker: Participation) -> None:
    screen_out(participation=worker, now=NOW, attempt=3)


ENDINGS = (_checks_fail, _give_back, _answer_wrongly, _lose_the_unit, _lapse, _withdraw, _block, _screen_out)


@pytest.mark.parametrize("ending", ENDINGS)
def test_however_it_ends_one_way_leads_back_and_never_past_the_pay(
    ending: Callable[[Participation], None], clock: Clock, enter: Enter
) -> None:
    make_study(topics=2, seconds_per_document=0, pay_per_unit="0.20", **platform())
    visitor, worker = enter(Study.objects.get(), platform_id="person-1")
    ending(worker)
    assert goes_back_to(visitor) == ["screened" if ending is _screen_out else "no-work"]
    Study.objects.update(state="open")
    paid, worker = enter(Study.objects.get(), platform_id="person-2")
    judge_unit(worker, seconds=0)
    assert goes_back_to(paid) == ["done"]
    ending(worker)
    assert goes_back_to(paid) == ["done"]
    assert ("not be paid" in visitor.page.text or "not paid" in visitor.page.text) is (
        ending is not _lapse
    ), "a lapsed set may still be completed"


def test_with_every_topic_done_only_the_paid_way_is_left(platform_study: Study, enter: Enter) -> None:
    visitor, worker = enter(platform_study, platform_id="person-1")
    judge_unit(worker, seconds=0)
    assert goes_back_to(visitor) == ["done"]
    page = visitor.page
    assert page.presses() == []
    assert page.told() == ["completed", "no_work"]
    assert page.why() == "every_topic"
    Study.objects.update(completion_url="")
    assert goes_back_to(visitor) == [], "the code is entered by hand"


def test_where_the_study_names_no_address_the_page_says_how_to_get_back(clock: Clock, enter: Enter) -> None:
    visitor, worker = enter(make_study(platform="generic", id_parameter="PID"))
    _give_back(worker)
    assert goes_back_to(visitor) == []
    assert "back_by_hand" in visitor.page.told()


def test_a_direct_study_sends_nobody_anywhere(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study)
    judge_unit(worker, seconds=0)
    page = visitor.open("/s/study/")
    assert all(href.startswith(("/", "#", "mailto:")) for href in page.links())

"""Arrival and consent: nothing is stored about anybody who has not agreed."""

from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from judging.core.services.studies import close_study, pause_study
from judging.models import Participation, PlatformIdentity, Study, Unit
from tests.factories import later, make_study, make_worker
from tests.support.problems import problems_in
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]


def test_what_a_worker_must_know_stands_on_the_first_page(clock: Clock, visitor: Visitor) -> None:
    study = make_study(requester="Institute of Tides", pay_per_unit="0.20", expected_minutes=8)
    page = visitor.open("/s/study/")
    for fact in (
        "Institute of Tides",
        "study@example.org",
        "8 per",
        "0.20 USD",
        "20 seconds",
    ):
        assert fact in page.text, fact
    for text in (study.information, study.consent):
        assert text in page.text


def test_before_consent_there_is_no_cookie(study: Study, visitor: Visitor) -> None:
    reply = visitor.request("GET", "/s/study/")
    assert (reply.status, reply.cookies) == (200, [])
    assert visitor.request("GET", "/").cookies == []


def test_declining_leaves_no_row_no_cookie_and_no_session(clock: Clock, visitor: Visitor) -> None:
    make_study(platform="generic", id_parameter="PID")
    visitor.open("/s/study/?PID=person-1")
    page = visitor.send(consent="no")
    assert page.status == 200
    assert "declined" in page.told()
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()
    assert not PlatformIdentity.objects.exists()
    assert not Session.objects.exists()


def test_neither_yes_nor_no_is_asked_again(study: Study, visitor: Visitor) -> None:
    visitor.open("/s/study/")
    for answer in ({}, {"consent": ""}, {"consent": "maybe"}):
        visitor.post("/s/study/", visitor.filled(visitor.page.forms[0]) | answer)
        assert [field for field, _ in problems_in(visitor.seen[-1].body.decode())] == ["consent"]
    assert not Participation.objects.exists()


def test_consent_gives_a_cookie_for_this_study_alone(study: Study, visitor: Visitor) -> None:
    consent(visitor, "/s/study/")
    (cookie,) = visitor.seen[1].cookies
    assert cookie.startswith("plumbline_study=")
    for attribute in ("HttpOnly", "SameSite=Lax", "Path=/s/study/", "Max-Age="):
        assert attribute in cookie
    worker = Participation.objects.get()
    assert (worker.state, worker.consent_version, worker.consented_at) == ("consented", "1", later())
    assert not Session.objects.exists()


def test_the_consent_form_sent_twice_makes_one_participation(study: Study, visitor: Visitor) -> None:
    visitor.open("/s/study/")
    form = visitor.filled(visitor.page.forms[0], consent="yes")
    assert visitor.post("/s/study/", form).step == "instructions"
    assert visitor.post("/s/study/", form).step == "instructions"
    stranger = Visitor(through_client())  # The second press was quicker than the first one's cookie.
    assert stranger.post("/s/study/", form).step == "instructions"
    assert Participation.objects.count() == 1


def test_a_form_known_to_somebody_else_lets_nobody_in_later(
    study: Study, visitor: Visitor, clock: Clock
) -> None:
    visitor.open("/s/study/")
    form = visitor.filled(visitor.page.forms[0], consent="yes")
    visitor.post("/s/study/", form)
    worker = Participation.objects.get()
    assert worker.token not in form["arrival"], "what a page told is no key to the participation"
    clock.move(minutes=2)
    stranger = Visitor(through_client())
    assert stranger.post("/s/study/", form).step == "instructions"
    assert Participation.objects.count() == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_no_other_site_can_send_the_consent_form(headers: dict[str, str], study: Study) -> None:
    reply = Client().post("/s/study/", {"consent": "yes"}, headers=headers)
    assert reply.status_code == 403
    assert not Participation.objects.exists()


@pytest.mark.parametrize("headers", [{"Origin": "http://testserver"}, {"Sec-Fetch-Site": "same-origin"}])
def test_a_browser_on_our_page_may_send_it(headers: dict[str, str], study: Study) -> None:
    assert Client().post("/s/study/", {"consent": "yes"}, headers=headers).status_code == 302


def test_without_work_nobody_is_asked_for_consent(study: Study, visitor: Visitor, clock: Clock) -> None:
    held = Unit.objects.order_by("pk").first()
    Unit.objects.exclude(pk=held.pk).update(state="done")
    assert visitor.open("/s/study/").forms, "one unit is open"
    make_worker(study, upto="question", now=clock.now)
    page = visitor.open("/s/study/")
    assert page.forms == []
    assert page.told() == ["no_work"]
    clock.move(minutes=61)
    assert visitor.open("/s/study/").forms, "its holder's time is over"


def test_two_people_are_two_participations(study: Study) -> None:
    for _ in range(2):
        consent(Visitor(through_client()), "/s/study/")
    assert Participation.objects.count() == 2


def test_a_consent_form_made_up_by_a_script_is_taken_too(study: Study, visitor: Visitor) -> None:
    assert visitor.post("/s/study/", {"consent": "yes"}).step == "instructions"
    other = Visitor(through_client())
    assert other.post("/s/study/", {"consent": "yes", "arrival": "forged:token"}).step == "instructions"
    assert Participation.objects.count() == 2
    assert not Participation.objects.filter(token="forged").exists()


def test_a_consent_form_of_another_study_is_a_new_arrival(study: Study, visitor: Visitor) -> None:
    make_study(slug="other")
    visitor.open("/s/study/")
    form = visitor.filled(visitor.page.forms[0], consent="yes")
    visitor.post("/s/study/", form)
    assert visitor.post("/s/other/", form).path == "/s/other/instructions/"
    assert Participation.objects.get(study__slug="other").arrival_key == "", (
        "the key of the form is not taken"
    )
    assert Participation.objects.exclude(study__slug="other").get().arrival_key != ""


@pytest.mark.parametrize("cookie", ["", "forged", "abc:def", "\x01", "ü" * 50, "a" * 3000])
def test_a_forged_cookie_is_no_cookie(cookie: str, study: Study, visitor: Visitor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["plumbline_study"] = cookie
    assert Visitor(through_client(client)).open("/s/study/judge/").path == "/s/study/"


def test_the_cookie_of_one_study_opens_no_other(enter: Enter, study: Study) -> None:
    make_study(slug="other")
    client = Client(enforce_csrf_checks=True)
    consent(Visitor(through_client(client)), "/s/study/")
    client.cookies["plumbline_other"] = client.cookies["plumbline_study"].value
    assert Visitor(through_client(client)).open("/s/other/judge/").path == "/s/other/"


def test_the_resume_link_gives_the_cookie_back(enter: Enter, study: Study, visitor: Visitor) -> None:
    first, worker = enter(study, "ready")
    first.send("next")
    first.send("return")
    assert first.page.step == "units"
    (link,) = (word for word in first.page.text.split() if "/resume/" in word)
    page = visitor.open(link.removeprefix("http://testserver"))
    assert page.step == "units"
    assert any("plumbline_study=" in cookie for reply in visitor.seen for cookie in reply.cookies)
    assert visitor.send("next").step == "topic"
    assert Participation.objects.get() == worker


# --- studies that take no workers now ----------------------------------------------------------------------


def _paused() -> Study:
    study = make_study()
    pause_study(study=study, now=later())
    return study


def _closed() -> Study:
    study = make_study()
    close_study(study=study, now=later())
    return study


def _not_yet() -> Study:
    return make_study(opens_at=later(hours=1))


def _over() -> Study:
    study = make_study()
    Study.objects.update(closes_at=later(0))
    return study


def _simulated() -> Study:
    return make_study(simulated=True)


@pytest.mark.parametrize("make", [_paused, _closed, _not_yet, _over, _simulated])
def test_a_study_that_takes_no_work_says_so_and_stores_nothing(
    make: Callable[[], Study], clock: Clock, visitor: Visitor
) -> None:
    make()
    page = visitor.open("/s/study/")
    assert page.status == 200
    assert page.forms == []
    assert page.told() == ["simulated" if make is _simulated else "no_work"]
    page = visitor.post("/s/study/", {"consent": "yes"})  # From a page that was open for long.
    assert (page.status, page.told()[0]) == (409, "refused")
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()


def test_a_study_that_was_never_opened_is_there_for_its_members_alone(
    visitor: Visitor, console: Client
) -> None:
    study = make_study(opened=False)
    absent = visitor.open("/s/another/")
    assert absent.status == 404
    for page in (visitor.open("/s/study/"), visitor.post("/s/study/", {"consent": "yes"})):
        assert page.status == 404
        assert study.title not in page.text
    answer = console.get("/s/study/")
    assert answer.status_code == 200
    assert 'name="consent"' not in answer.content.decode()


def test_who_is_in_already_goes_on_while_the_study_is_paused(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    pause_study(study=study, now=later())
    assert visitor.open("/s/study/").step == "judge"
    visitor.send("return")
    assert visitor.page.told() == ["returned", "no_work"]

"""Several workers in one browser: noted once with both, told with its reason, and nobody is kept out."""

import re

import pytest
from django.test import Client

from judging.models import Event, Participation, Study
from judging.watching.selectors.same_browser import same_browsers
from tests.factories import make_study, make_worker
from tests.people.conftest import browser_of, make_people, text_of
from tests.support.named import assert_names
from tests.support.visitor import Visitor, through_client
from tests.worker.entry.conftest import links
from tests.worker.pages.actions import come_back, consent
from tests.worker.pages.conftest import Clock


@pytest.fixture
def study(clock: Clock) -> Study:
    return make_study(platform="generic", id_parameter="PID")


def person(name: str) -> str:
    return f"/s/study/?PID={name}"


def noted() -> list[str]:
    return list(
        Event.objects.filter(kind="same_browser")
        .order_by("pk")
        .values_list("participation__pseudonym", flat=True)
    )


def by_id(name: str) -> Participation:
    return Participation.objects.get(identity__platform_id=name)


def test_a_second_id_in_one_browser_is_noted_with_both(study: Study, visitor: Visitor) -> None:
    consent(visitor, person("one"))
    assert consent(visitor, person("two")).step == "instructions"
    one, two = by_id("one"), by_id("two")
    assert two.same_browser == one
    assert one.same_browser is None
    assert noted() == [one.pseudonym, two.pseudonym]


def test_going_to_and_fro_is_noted_once(study: Study, visitor: Visitor) -> None:
    consent(visitor, person("one"))
    consent(visitor, person("two"))
    for name in ("one", "two", "one", "one"):
        assert come_back(visitor, person(name)).step == "instructions"
    assert len(noted()) == 2


def test_who_comes_back_in_anothers_browser_is_noted_too(study: Study, visitor: Visitor) -> None:
    consent(Visitor(through_client()), person("two"))
    consent(visitor, person("one"))
    come_back(visitor, person("two"))
    assert by_id("two").same_browser == by_id("one")
    third = make_worker(study, platform_id="three")
    visitor.open(f"/s/study/resume/{third.token}/")
    third.refresh_from_db()
    assert third.same_browser == by_id("two")


def test_two_personal_links_in_one_browser_are_noted(invited: Study, visitor: Visitor) -> None:
    for link in links(invited, 2):
        assert consent(visitor, link).step == "instructions"
    assert len(noted()) == 2


def test_one_person_in_one_browser_is_nothing_to_note(study: Study, visitor: Visitor) -> None:
    make_study(slug="other", platform="generic", id_parameter="PID")
    consent(visitor, person("one"))
    come_back(visitor, person("one"))
    consent(visitor, "/s/other/?PID=another")
    assert noted() == []


@pytest.mark.parametrize("cookie", ["forged", "{token}", "{token}:{token}"])
def test_a_cookie_that_is_made_up_accuses_nobody(study: Study, cookie: str) -> None:
    consent(Visitor(through_client()), person("one"))
    client = Client(enforce_csrf_checks=True)
    client.cookies["plumbline_study"] = cookie.format(token=by_id("one").token)
    consent(Visitor(through_client(client)), person("two"))
    assert noted() == []


def test_researchers_see_it_as_a_flag_with_its_reason(study: Study, visitor: Visitor) -> None:
    people = make_people(study, make_study(slug="elsewhere", opened=False))
    browser = browser_of(people["viewer"])
    quality = "/console/studies/study/quality/"
    assert flagged(text_of(browser.get(quality))) == []
    consent(visitor, person("one"))
    consent(visitor, person("two"))
    one, two = by_id("one"), by_id("two")
    (flag,) = flagged(text_of(browser.get(quality)))
    assert_names(flag, one.pseudonym, two.pseudonym)
    for worker, other in ((one, two), (two, one)):
        (flag,) = flagged(text_of(browser.get(f"/console/studies/study/workers/{worker.pseudonym}/")))
        assert_names(flag, other.pseudonym)
    assert "same browser" in text_of(browser.get("/console/studies/study/events/?kind=same_browser"))


def flagged(text: str) -> list[str]:
    """The texts of the flags of a page."""
    return re.findall(r'<p class="notice error">(.*?)</p>', text)


def test_of_many_the_latest_are_listed(study: Study, visitor: Visitor) -> None:
    for number in range(5):
        consent(visitor, person(str(number)))
    shown, count = same_browsers(study, most=2)
    assert count == 4
    assert [pair.second for pair in shown] == [by_id("4").pseudonym, by_id("3").pseudonym]

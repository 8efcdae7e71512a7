"""A real Chromium that blocks cookies, or has lost them: the page says so, and how to go on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Participation, Study
from tests.factories import make_study
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent
from tests.worker.pages.browsing import press
from tests.worker.pages.conftest import Clock

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
Enter = Callable[..., tuple[Visitor, Participation]]
LINKS = {"plain": "", "platform": "?PID=person-1&SID=visit-1"}


def study_of(kind: str) -> Study:
    study = make_study(seconds_per_document=0)
    if kind == "platform":
        Study.objects.update(platform="generic", id_parameter="PID", submission_parameter="SID")
    return study


def keep_no_cookie(route: Route) -> None:
    """Answer a request, and keep no cookie from it, as a browser that blocks them."""
    response = route.fetch(max_redirects=0)
    route.request.frame.page.context.clear_cookies()
    kept = {name: value for name, value in response.headers.items() if name != "set-cookie"}
    route.fulfill(status=response.status, headers=kept, body=response.body())


@pytest.mark.parametrize("kind", LINKS)
def test_blocked_cookies_are_named_and_the_personal_link_goes_on(
    kind: str, live_server: LiveServer, new_page: NewPage, clock: Clock
) -> None:
    study_of(kind)
    page = new_page(width=375, height=812)
    page.context.route("**/s/**", keep_no_cookie)
    page.goto(f"{live_server.url}/s/study/{LINKS[kind]}")
    page.locator("button[name=consent][value=yes]").click()
    expect(page.locator("main")).to_have_attribute("data-told", "no_cookies")
    worker = Participation.objects.get()
    link = page.locator(f"main a[href*='{worker.token}']")
    link.click()
    expect(page.locator("main")).to_have_attribute("data-told", "no_cookies")
    page.reload()
    expect(page.locator("main")).to_have_attribute("data-told", "no_cookies")
    page.context.unroute_all()
    page.context.clear_cookies()
    link.click()
    expect(page).to_have_url(f"{live_server.url}/s/study/instructions/")
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("1 of 3")
    assert Participation.objects.count() == 1


@pytest.mark.parametrize("kind", LINKS)
def test_a_cookie_lost_on_the_way_is_named(
    kind: str, live_server: LiveServer, new_page: NewPage, clock: Clock
) -> None:
    study_of(kind)
    page = new_page()
    page.goto(f"{live_server.url}/s/study/{LINKS[kind]}")
    page.locator("button[name=consent][value=yes]").click()
    press(page, "next")
    expect(page.locator(".progress")).to_contain_text("1 of 3")
    page.context.clear_cookies()
    page.reload()
    expect(page.locator("main")).to_have_attribute("data-told", "no_cookies")
    assert Participation.objects.get().token not in page.content(), "whoever has no token sees none"


def test_with_cookies_the_address_is_clean_and_a_false_token_shows_no_link(study: Study) -> None:
    visitor = Visitor(through_client())
    assert consent(visitor, "/s/study/").reply.url == "/s/study/instructions/"
    stranger = Visitor(through_client())
    page = stranger.open("/s/study/instructions/?started=made-up")
    assert (page.status, page.told()) == (403, ["no_cookies"])
    assert not [link for link in page.links() if "resume" in link]

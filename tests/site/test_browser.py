"""The console in a real browser is accessible, and readable on phones and wide screens."""

from collections.abc import Callable

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import answer_wrongly, judge_unit, make_study, make_worker
from tests.support.browser import LOOKS, check_looks, open_place
from tests.support.people import PASSWORD


def test_a_researcher_logs_in_looks_and_pauses(
    live_server: LiveServer, transactional_db: None, researcher: AbstractBaseUser, chromium_page: Page
) -> None:
    study = make_study(judgments_per_document=2)
    judge_unit(make_worker(study))
    answer_wrongly(make_worker(study, upto="question"))
    page = chromium_page
    page.goto(f"{live_server.url}/console/")
    page.wait_for_url("**/console/login/**")
    check_looks(page)
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/console/")
    check_looks(page)
    page.get_by_role("link", name=study.title).click()
    page.wait_for_url("**/studies/study/")
    check_looks(page)
    page.get_by_text("Open, pause, close").click()
    check_looks(page)
    page.get_by_role("link", name="Pause").click()
    page.wait_for_url("**/pause/")
    check_looks(page)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_url("**/studies/study/")
    expect(page.locator("p[role=status]")).to_be_visible()
    check_looks(page)
    study.refresh_from_db()
    assert study.state == "paused"
    open_place(page, "Data")
    page.wait_for_url("**/jobs/")
    check_looks(page)
    with page.expect_download() as started:
        page.get_by_role("link", name="judgments as csv").click()
    assert started.value.suggested_filename == "study-judgments.csv"
    assert started.value.path().read_text().count("\n") == 9
    page.get_by_role("link", name="All studies").click()
    page.wait_for_url("**/console/")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/console/login/")


def test_a_phone_has_the_pages_of_the_site_behind_one_button(open_console: Callable[..., Page]) -> None:
    """The menu does not need JavaScript."""
    page = open_console("/console/people/", width=375, javascript=False)
    link = page.get_by_role("navigation", name="Console").get_by_role("link", name="Look up a code")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    link.click()
    page.wait_for_url("**/console/code/")


@pytest.mark.parametrize("javascript", [True, False])
def test_the_places_of_a_study_are_a_menu_on_a_phone(
    open_console: Callable[..., Page], transactional_db: None, javascript: bool
) -> None:
    make_study(topics=1, opened=False)
    page = open_console("/console/studies/study/", width=375, javascript=javascript)
    places, button = page.locator("nav.places"), page.locator("button[popovertarget=places]")
    expect(places).to_be_hidden()
    button.press("Enter")
    expect(places).to_be_visible()
    expect(places.locator("[aria-current]")).to_have_count(1)
    check_looks(page, LOOKS[:1])
    page.keyboard.press("Escape")
    expect(places).to_be_hidden()
    button.click()
    places.get_by_role("link", name="Workers").click()
    page.wait_for_url("**/workers/")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(places).to_be_visible()
    expect(button).to_be_hidden()


def test_the_search_leads_to_what_it_finds(open_console: Callable[..., Page], transactional_db: None) -> None:
    make_study(topics=3)
    page = open_console("/console/studies/study/", javascript=False)
    box = page.get_by_role("searchbox")
    box.fill("title")
    box.press("Enter")
    page.wait_for_url("**/search/?q=title")
    expect(page.locator(".matches li")).to_have_count(3)
    expect(box).to_have_value("title")
    check_looks(page)
    box.fill("nothing like it")
    box.press("Enter")
    expect(page.locator("[data-empty=search]")).to_be_visible()
    check_looks(page)
    box.fill("topic 402")
    box.press("Enter")
    page.wait_for_url("**/understanding/documents/?topic=402")


def test_the_ways_to_spend_a_budget_are_compared_in_every_look(
    open_console: Callable[..., Page], transactional_db: None
) -> None:
    make_study(topics=1, opened=False, pay_per_unit="0.50")
    page = open_console("/console/studies/study/plan/")
    page.get_by_label("Half-width that you want").fill("15")
    page.get_by_role("button", name="Compare the ways").click()
    page.wait_for_url("**half_width=15**")
    figure = page.locator("#plan-budgets")
    expect(figure.locator("svg[role=group]")).to_be_visible()
    expect(figure.locator(".legend li")).to_have_count(4)
    expect(page.locator("[data-cheapest]")).to_be_visible()
    figure.get_by_text("Numbers").click()
    check_looks(page)

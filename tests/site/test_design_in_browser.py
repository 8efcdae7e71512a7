"""The page of the design in a real Chromium: every chart is drawn, and the page works without JavaScript."""

from collections.abc import Callable

from django.contrib.auth.base_user import AbstractBaseUser
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.site.design_charts import sample_charts
from judging.site.tokens import SERIES
from tests.support.browser import check_looks
from tests.support.people import PASSWORD


def log_in(page: Page, address: str) -> None:
    page.goto(f"{address}/console/login/?next=/console/design/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/console/design/")


def test_every_chart_is_drawn_and_its_legend_shows_shapes(
    live_server: LiveServer, transactional_db: None, researcher: AbstractBaseUser, chromium_page: Page
) -> None:
    page = chromium_page
    log_in(page, live_server.url)
    for chart in sample_charts():
        expect(page.locator(f"#{chart.name} [data-drawing] > svg")).to_be_visible()
    keys = page.locator("#sample-line .legend li svg")
    assert keys.count() == len(SERIES)
    assert len({keys.nth(place).inner_html() for place in range(keys.count())}) == len(SERIES)
    check_looks(page)


def test_a_phone_has_the_pages_of_the_site_behind_one_button(
    live_server: LiveServer,
    transactional_db: None,
    researcher: AbstractBaseUser,
    new_page: Callable[..., Page],
) -> None:
    """Neither the menu nor the numbers of charts need JavaScript."""
    page = new_page(width=375, javascript=False)
    log_in(page, live_server.url)
    link = page.get_by_role("navigation", name="Console").get_by_role("link", name="Look up a code")
    expect(link).to_be_hidden()
    expect(page.locator("#sample-box table")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    link.click()
    page.wait_for_url("**/console/code/")

"""Sorting and narrowing in a real browser: by keyboard, on a phone, light and dark, without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from judging.models import Study
from judging.services.figures import compute_figures
from tests.benchmarks.large_study import LargeStudy
from tests.factories import later
from tests.support.browser import axe, fits

pytestmark = pytest.mark.usefixtures("study")


@pytest.fixture
def study(transactional_db: None) -> Study:
    study = LargeStudy(slug="large", judgments=3200, topics=8).study
    compute_figures(study=study, now=later(hours=999))
    return study


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("columnheader", name=name, exact=True)


@pytest.mark.parametrize(
    ("width", "scheme"), [(375, "light"), (375, "dark"), (1440, "light"), (1440, "dark")]
)
def test_every_changed_page_is_accessible_and_fits(
    open_console: Callable[..., Page], width: int, scheme: str
) -> None:
    page = open_console("/console/studies/large/workers/?sort=-c", width=width, color_scheme=scheme)
    home = page.url.partition("workers/")[0]
    for address in (
        "workers/?sort=-c",
        "?sort_topics=-judgments",
        "watch/?sort_hours=-begun",
        "quality/?sort_back=unit&sort_topics=-wrong-share",
        "table1/?sort=-failed_c_1",
        "worker-figures/?sort=seconds&flagged=no",
        "events/?sort=worker&check=c",
    ):
        page.goto(home + address)
        expect(page.locator("th[aria-sort]").first).to_be_attached()
        axe(page)
        assert fits(page), page.url


@pytest.mark.parametrize("width", [375, 1440])
def test_a_list_is_sorted_by_keyboard(open_console: Callable[..., Page], width: int) -> None:
    page = open_console("/console/studies/large/workers/", width=width)
    expect(heading(page, "Last seen")).to_have_attribute("aria-sort", "descending")
    link = page.get_by_role("link", name="Completed", exact=True)
    table = page.get_by_role("region", name="70 workers")
    table.focus()
    for _ in range(9):
        if link.evaluate("link => link === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**/workers/?sort=-completed")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Completed ▼")
    page.get_by_role("link", name="Completed", exact=True).press("Enter")
    page.wait_for_url("**/workers/?sort=completed")
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Completed ▲")


def test_sorting_and_narrowing_work_without_scripts(open_console: Callable[..., Page], study: Study) -> None:
    page = open_console("/console/studies/large/workers/", javascript=False, width=375)
    page.get_by_role("link", name="Failed checks", exact=True).click()
    page.wait_for_url("**/workers/?sort=-failures")
    name = page.locator("tbody th").first.inner_text()
    page.get_by_label("Worker", exact=True).fill(name[:4].upper())
    page.get_by_label("State").select_option("ready")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url(f"**/workers/?sort=-failures&worker={name[:4].upper()}&state=ready")
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(page.locator("th[aria-sort]")).to_have_text("Failed checks ▼")
    axe(page)
    page.get_by_role("link", name="Show all").click()
    page.wait_for_url("**/workers/?sort=-failures")
    page.get_by_role("link", name="Page 2").click()
    page.wait_for_url("**/workers/?sort=-failures&page=2")


def test_a_page_that_refreshes_itself_stays_sorted(open_console: Callable[..., Page]) -> None:
    page = open_console("/console/studies/large/watch/")
    page.get_by_role("region", name="By topic").get_by_role("link", name="Units done", exact=True).click()
    page.wait_for_url("**/watch/?sort=-units")
    with page.expect_response("**/watch/?sort=-units") as asked:
        page.get_by_role("button", name="Stop refreshing").click()
        page.get_by_role("button", name="Refresh again").click()
    assert asked.value.ok
    expect(page.get_by_role("region", name="By topic").locator("th[aria-sort]")).to_have_text("Units done ▼")

"""Table 1, events and workers in a real browser: accessible and readable, with scripts and without."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Document, Participation, Study, Topic
from tests.benchmarks.large_study import LargeStudy
from tests.console.test_browser import fits
from tests.factories import fail_practice, inverted, judge_unit, later, make_worker, pass_practice
from tests.support.browser import axe

LONG = "Pneumonoultramicroscopicsilicovolcanoconiosis"


@pytest.fixture
def study(transactional_db: None) -> Study:
    """Several pages of everything, and a worker with whom all went wrong; long names."""
    study = LargeStudy(slug="large", judgments=3200, topics=8).study
    Study.objects.filter(pk=study.pk).update(check_attempts=1)
    study.refresh_from_db()
    worker = make_worker(study, upto="practising", now=later(hours=999))
    fail_practice(worker)
    pass_practice(worker)
    worker.refresh_from_db()
    judge_unit(worker, now=later(hours=999), seconds=1, magnitude=inverted)
    Topic.objects.filter(number="402").update(title=f"What is {LONG}?")
    anchor = Document.objects.get(document_id="D402-H")
    Document.objects.filter(pk=anchor.pk).update(document_id=f"collection-{LONG}-0001")
    return study


@pytest.fixture
def open_console(
    live_server: LiveServer, study: Study, console: Client, new_page: Callable[..., Page]
) -> Callable[..., Page]:
    """Opens a page at the study, logged in."""

    def opened(**options: object) -> Page:
        page = new_page(**options)
        cookie = console.cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page.goto(f"{live_server.url}/console/studies/{study.slug}/")
        return page

    return opened


def holds(page: Page, title: str) -> None:
    """Wait for the page of that title, whole with its styles, and look at it."""
    expect(page).to_have_title(f"{title} – Plumbline console")
    page.wait_for_load_state()
    axe(page)
    assert fits(page), page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_every_list_is_accessible_and_leads_back(
    open_console: Callable[..., Page], study: Study, width: int, scheme: str
) -> None:
    page = open_console(width=width, color_scheme=scheme)
    name = f"{study.title} ({study.slug})"
    holds(page, name)
    page.get_by_role("link", name="Table 1", exact=True).click()
    holds(page, f"Table 1 of {name}")
    page.get_by_role("link", name=study.title).click()
    holds(page, name)
    page.get_by_role("link", name="Events", exact=True).click()
    holds(page, f"Events of {name}")
    page.get_by_label("From (UTC)").fill("2030-01-01")
    page.get_by_label("To (UTC)").fill("2029-01-01")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("alert")).to_have_text("The last day comes before the first: exchange them.")
    holds(page, f"Events of {name}")
    page.get_by_role("link", name="Show all").click()
    page.get_by_role("link", name=study.title).click()
    page.get_by_role("link", name="Workers", exact=True).click()
    holds(page, f"Workers of {name}")
    page.get_by_role("link", name="Page 2", exact=True).click()
    expect(page.get_by_text("51 to")).to_be_visible()
    holds(page, f"Workers of {name}")
    page.get_by_role("link", name="← Before").click()
    troubled = Participation.objects.filter(study=study, events__kind="checks_failed").latest("consented_at")
    page.get_by_role("link", name=troubled.pseudonym).click()
    holds(page, f"Worker {troubled.pseudonym} of {name}")
    assert page.get_by_text("(d) time failed: try 1, 8 documents short of time").is_visible()
    page.get_by_role("link", name="All workers").click()
    page.get_by_role("link", name=study.title).click()
    expect(page).to_have_title(f"{name} – Plumbline console")


def test_the_filters_work_without_scripts(open_console: Callable[..., Page], study: Study) -> None:
    page = open_console(javascript=False)
    page.get_by_role("link", name="Events", exact=True).click()
    page.get_by_label("Check").select_option("c")
    page.get_by_label("Topic").select_option("402")
    page.get_by_label("From (UTC)").fill("2026-03-02")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**check=c**")
    assert "topic=402" in page.url
    assert "first=2026-03-02" in page.url
    wanted = study.events.filter(check_name="c", topic__number="402", at__gte=later()).count()
    expect(page.get_by_role("heading", level=2)).to_have_text(f"{wanted} events")
    assert page.locator("tbody tr").count() == min(wanted, 50) > 5
    assert page.get_by_label("Topic").input_value() == "402"
    holds(page, f"Events of {study.title} ({study.slug})")
    page.get_by_role("link", name="Show all").click()
    page.wait_for_url("**/events/")

"""Lists of the console in a real browser: accessible, by keyboard, on a phone, and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from judging.models import Document, Study, Topic
from judging.protocol.checks import practice, seconds
from judging.watching.jobs.worker_statistics import compute_statistics
from tests.benchmarks.large_study import LargeStudy
from tests.factories import (
    fail_practice,
    inverted,
    judge_unit,
    later,
    make_study,
    make_worker,
    pass_practice,
)
from tests.site.test_pages import add_events
from tests.support.browser import axe, check_looks, open_place

HOME = "/console/studies/large/"
LONG = "Pneumonoultramicroscopicsilicovolcanoconiosis"
NEVER = "events/?first=2030-01-01&last=2029-01-01"
LISTS = (
    "?sort_topics=-judgments&sort_reserved=unit",
    "quality/?sort_back=unit&sort_topics=-wrong-share",
    "table1/?sort=-failed_c_1",
    "workers/?sort=-c",
    "worker-statistics/?sort=seconds&flagged=no",
    "events/?sort=worker&check=c",
    NEVER,
)


@pytest.fixture(scope="module")
def study(committed_module_db: None) -> Study:
    """Return a study with rows in every list, and long names."""
    study = LargeStudy(slug="large", judgments=320, topics=4).study
    compute_statistics(study=study, now=later(hours=999))
    Topic.objects.filter(number="402").update(title=f"What is {LONG}?")
    anchor = Document.objects.get(document_id="D402-H")
    Document.objects.filter(pk=anchor.pk).update(document_id=f"collection-{LONG}-0001")
    return study


@pytest.fixture(scope="module")
def troubled(study: Study) -> str:
    """Return the address of a worker with every kind of failure."""
    Study.objects.filter(pk=study.pk).update(check_attempts=1)
    study.refresh_from_db()
    worker = make_worker(study, upto="practising", now=later(hours=999))
    fail_practice(worker)
    pass_practice(worker)
    worker.refresh_from_db()
    judge_unit(worker, now=later(hours=999), seconds=1, magnitude=inverted)
    return f"workers/{worker.pseudonym}/"


def heading(page: Page, name: str) -> Locator:
    """Return the heading of a column, sorted or not."""
    link = page.get_by_role("link", name=name, exact=True)
    return page.get_by_role("columnheader").filter(has=link)


def test_every_list_is_accessible_and_fits(
    open_shared_console: Callable[..., Page], study: Study, troubled: str
) -> None:
    page = open_shared_console(HOME)
    home = page.url
    for address in (*LISTS, troubled):
        page.goto(home + address)
        expect(page.locator(".frame-name")).to_contain_text(study.slug)
        assert page.locator("th[aria-sort]").count() > 0 or address in (NEVER, troubled), address
        check_looks(page)


def test_the_filters_work_without_scripts(open_shared_console: Callable[..., Page], study: Study) -> None:
    page = open_shared_console(HOME, javascript=False)
    open_place(page, "Quality", "Events")
    page.get_by_label("Check").select_option("c")
    topic = page.get_by_label("Topic", exact=True)
    topic.select_option("402")
    page.get_by_label("From (UTC)").fill("2026-03-02")
    page.get_by_role("button", name="Filter").click()
    page.wait_for_url("**check=c**")
    assert "topic=402" in page.url
    assert "first=2026-03-02" in page.url
    wanted = study.events.filter(check_name="c", topic__number="402", at__gte=later()).count()
    assert 0 < wanted < 50
    expect(page.locator("tbody tr")).to_have_count(wanted)
    expect(topic).to_have_value("402")
    axe(page)
    page.get_by_role("link", name="Show all").click()
    page.wait_for_url(lambda address: "check=" not in address)
    expect(topic).to_have_value("")


def test_sorting_and_narrowing_work_without_scripts(
    open_shared_console: Callable[..., Page], study: Study
) -> None:
    page = open_shared_console(f"{HOME}workers/", javascript=False, width=375)
    page.get_by_role("link", name="Failed checks", exact=True).click()
    page.wait_for_url("**/workers/?sort=-failures")
    workers = page.locator("table.workers")
    name = workers.locator("tbody th").first.inner_text()
    page.get_by_label("Worker", exact=True).fill(name[:4].upper())
    page.get_by_label("State").select_option("ready")
    page.get_by_role("button", name="Filter").click()
    page.wait_for_url(f"**/workers/?sort=-failures&worker={name[:4].upper()}&state=ready")
    expect(workers.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(heading(page, "Failed checks")).to_have_attribute("aria-sort", "descending")
    axe(page)
    page.get_by_role("link", name="Show all").click()
    page.wait_for_url("**/workers/?sort=-failures")


def test_a_list_is_sorted_by_keyboard_on_a_phone(
    open_shared_console: Callable[..., Page], study: Study
) -> None:
    page = open_shared_console(f"{HOME}workers/", width=375)
    expect(heading(page, "Last seen")).to_have_attribute("aria-sort", "descending")
    link = page.get_by_role("link", name="Units: Completed", exact=True)
    page.get_by_role("region").filter(has=page.get_by_role("table")).focus()
    for _ in range(9):
        if link.evaluate("link => link === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**/workers/?sort=-completed")
    expect(heading(page, "Units: Completed")).to_have_attribute("aria-sort", "descending")
    link.press("Enter")
    page.wait_for_url("**/workers/?sort=completed")
    expect(heading(page, "Units: Completed")).to_have_attribute("aria-sort", "ascending")


def test_a_page_that_refreshes_itself_stays_sorted(
    open_shared_console: Callable[..., Page], study: Study
) -> None:
    page = open_shared_console(HOME)
    topics = page.get_by_role("region", name="Topics")
    topics.get_by_role("link", name="Units done", exact=True).click()
    page.wait_for_url("**/large/?sort_topics=-units#topics")
    with page.expect_response("**/large/?sort_topics=-units") as asked:
        page.get_by_role("button", name="Stop refreshing").click()
        page.get_by_role("button", name="Start refreshing").click()
    assert asked.value.ok
    expect(topics.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")


@pytest.fixture(scope="module")
def many(committed_module_db: None) -> str:
    """Return the address of a worker with two pages of events, in a study with two pages of topics."""
    study = make_study(slug="many", topics=52, judgments_per_document=1)
    worker = make_worker(study)
    add_events(worker, 52, practice.CHECK.event)
    unit = judge_unit(worker, now=later(hours=9))
    add_events(worker, 22, seconds.CHECK.event, assignment=unit, unit=unit.unit, topic=unit.topic)
    return f"workers/{worker.pseudonym}/"


def test_lists_side_by_side_turn_their_pages(open_shared_console: Callable[..., Page], many: str) -> None:
    page = open_shared_console("/console/studies/many/", width=375)
    home = page.url
    topics = page.get_by_role("navigation", name="Pages: topics", exact=True)
    topics.get_by_role("link", name="Page 2").click()
    page.wait_for_url("**/?topics=2#topics")
    expect(page.get_by_role("heading", name="Topics")).to_be_in_viewport()
    expect(topics.locator("[aria-current=page]")).to_have_text("2")
    check_looks(page)
    page.goto(f"{home}table1/?page=2")
    check_looks(page)
    page.goto(home + many)
    unit = page.get_by_role("navigation", name="Pages: events of unit")
    outside = page.get_by_role("navigation", name="Pages: events outside units")
    unit.get_by_role("link", name="Page 2").click()
    page.wait_for_url("**/?unit1=2#unit1")
    outside.get_by_role("link", name="Page 2").click()
    page.wait_for_url("**/?unit1=2&outside=2#outside")
    expect(page.get_by_role("heading", name="Outside units")).to_be_in_viewport()
    expect(unit.locator("[aria-current=page]")).to_have_text("2")
    check_looks(page)


def test_ids_stay_whole_and_no_column_is_cut_off(
    open_shared_console: Callable[..., Page], study: Study
) -> None:
    page = open_shared_console(HOME)
    home = page.url
    page.set_viewport_size({"width": 1440, "height": 900})
    for address in ("workers/", "worker-statistics/", "events/", "jobs/"):
        page.goto(home + address)
        parts = page.eval_on_selector_all(
            "tbody a.id, tbody th a", "links => links.map(link => link.getClientRects().length)"
        )
        assert set(parts) <= {1}, f"{address}: an id breaks over two lines"
        cut = page.eval_on_selector_all(
            ".scroll", "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
        )
        assert cut == 0, address


def test_on_a_phone_each_row_of_text_is_a_card(
    open_shared_console: Callable[..., Page], study: Study
) -> None:
    page = open_shared_console(HOME)
    home = page.url
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{home}events/")
    cells = page.locator("table.cards tbody td[data-heading]:not(:empty)")
    assert cells.count() > 20
    widths = cells.evaluate_all("cells => cells.map(cell => cell.clientWidth)")
    assert min(widths) > 300, "a cell has a line of its own, not a column of one word"
    shown = cells.first.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert shown.strip('"') == cells.first.get_attribute("data-heading")


@pytest.mark.parametrize("locale", ["en", "de", "ar"])
@pytest.mark.parametrize("width", [375, 1024, 1440])
def test_the_title_in_the_frame_is_not_squeezed(
    open_console: Callable[..., Page], locale: str, width: int
) -> None:
    """In a long language, the search goes below the title, which keeps room for its words."""
    study = make_study(title=f"Bread, tides and {LONG[:12]}", simulated=True)
    page = open_console(f"/console/studies/{study.slug}/", width=width, locale=locale)
    box = page.locator(".frame-name").bounding_box()
    assert box is not None
    assert box["width"] >= 170
    check_looks(page, [(width, "dark")])

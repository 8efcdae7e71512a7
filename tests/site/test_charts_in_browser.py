"""Charts in a real browser: drawn without errors, read out by keyboard, and a table without scripts."""

import json
import re
from collections.abc import Callable
from typing import Any, Final, get_args

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from judging.core.pages.charts import Kind
from judging.models import PoolDocument, ReportKind, Study
from judging.watching.jobs.worker_statistics import compute_statistics
from tests.benchmarks.large_study import LargeStudy
from tests.factories import later
from tests.support.browser import LOOKS, axe, check_looks
from tests.understanding.reading import make

HOME: Final = "/console/studies/large/"
WORKERS: Final = f"{HOME}workers/"
GRADES: Final = f"{HOME}understanding/grades/"
DOCUMENT: Final = f"{HOME}understanding/document/?topic={{topic}}&id={{document}}"
DOCUMENTS: Final = f"{HOME}understanding/documents/?topic={{topic}}"
PAGES: Final = (HOME, WORKERS, GRADES, DOCUMENT, DOCUMENTS)
"""Together they have every kind of mark."""
PICTURE = "svg[role=group]"
READ_ON = """(picture, times) => Array.from({ length: times }, () => {
  picture.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return picture.closest("figure").querySelector("output").textContent;
})"""
"""Press a key many times, and return what is read out after each."""
IS_SHOWN = "element => element.checkVisibility()"
"""Playwright takes what is in closed details for visible."""


@pytest.fixture(scope="module")
def study(committed_module_db: None) -> Study:
    study = LargeStudy(slug="large", judgments=320, topics=4).study
    compute_statistics(study=study, now=later(hours=999))
    make(study, ReportKind.DOCUMENTS)
    make(study, ReportKind.GRADES)
    return study


@pytest.fixture
def open_charts(open_shared_console: Callable[..., Page], study: Study) -> Callable[..., Page]:
    """Return a function that opens a page of the study, in which every message of the console is a fault."""

    def opened(address: str, **options: object) -> Page:
        anchor = PoolDocument.objects.filter(topic__study=study, anchor="H").order_by("pk")[0]
        address = address.format(topic=anchor.topic.number, document=anchor.document.document_id)
        page = open_shared_console("/console/", **options)
        page.on("console", fail)
        page.goto(page.url.removesuffix("/console/") + address)
        return page

    messages: list[str] = []

    def fail(message: ConsoleMessage) -> None:
        messages.append(f"{message.type}: {message.text}")

    yield opened
    assert not messages, messages


def charts(page: Page) -> list[Locator]:
    found = page.locator("figure[data-chart]:has(tbody tr)").all()
    assert found
    return found


def test_every_chart_is_drawn_and_read_by_arrow_keys(open_charts: Callable[..., Page]) -> None:
    kinds, series = set(), 0
    for address in PAGES:
        page = open_charts(address)
        for chart in charts(page):
            spec = json.loads(chart.get_attribute("data-chart") or "")
            kinds |= {mark["kind"] for mark in spec["marks"]}
            series = max(series, check_legend(chart))
            check_drawing(chart, spec)
            check_reading(chart)
        check_looks(page)
    assert kinds == set(get_args(Kind))
    assert series > 3


def check_drawing(chart: Locator, spec: dict[str, Any]) -> None:
    name = chart.get_attribute("id")
    picture = chart.locator(PICTURE)
    expect(picture).to_be_visible()
    assert picture.locator("path, rect, circle, line").count() > 2, name
    assert picture.get_attribute("aria-labelledby") == f"{name}-title"
    assert picture.get_attribute("aria-describedby") == f"{name}-about"
    for axis in ("x", "y"):
        label = spec[axis]["label"]
        assert label in (picture.text_content() or "") or spec[axis]["scale"] == "category", (name, label)


def check_legend(chart: Locator) -> int:
    """Check that series differ without colours, and return how many there are."""
    keys = chart.locator(".legend li svg").evaluate_all("keys => keys.map(key => key.innerHTML)")
    looks = {re.sub(r"var\(--series-\d\)", "", key) for key in keys}
    assert len(looks) == len(keys), chart.get_attribute("id")
    return len(keys)


def check_reading(chart: Locator) -> None:
    rows = chart.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )
    headings = chart.locator("thead th").all_text_contents()
    texts = {
        "\n".join(f"{heading.strip()}: {cell}" for heading, cell in zip(headings, row, strict=True))
        for row in rows
    }
    picture = chart.locator(PICTURE)
    picture.press("End")
    last = chart.locator("output").text_content()
    picture.press("Home")
    first = chart.locator("output").text_content()
    read = picture.evaluate(READ_ON, 4 * len(rows))
    assert read[-1] == last
    told = {first, *read}
    assert told <= texts
    assert len(told) > len(texts) // 2, chart.get_attribute("id")
    picture.press("Escape")
    expect(chart.locator("output")).to_be_hidden()


def test_a_chart_is_one_stop_of_the_keyboard(open_charts: Callable[..., Page]) -> None:
    page = open_charts(HOME)
    first, second, *_ = charts(page)
    first.locator(PICTURE).focus()
    page.keyboard.press("ArrowRight")
    expect(first.locator("output")).to_be_visible()
    for _ in range(3):  # its summary, the next chart
        page.keyboard.press("Tab")
        if second.locator(PICTURE).evaluate("picture => picture === document.activeElement"):
            break
    expect(second.locator(PICTURE)).to_be_focused()
    expect(second.locator("output")).to_be_visible()
    expect(first.locator("output")).to_be_hidden()


def test_a_point_leads_where_its_row_does_and_selects_it(open_charts: Callable[..., Page]) -> None:
    page = open_charts(WORKERS)
    chart = next(chart for chart in charts(page) if chart.locator("tbody a").count())
    picture = chart.locator(PICTURE)
    picture.press("Home")
    chosen = page.locator("tr.chosen")
    expect(chosen).to_have_count(1)
    address = chosen.locator("a").first.get_attribute("href")
    picture.press("Enter")
    page.wait_for_url(f"**{address}")


def test_pointing_reads_out_the_nearest_point(open_charts: Callable[..., Page]) -> None:
    page = open_charts(HOME)
    chart = charts(page)[0]
    picture = chart.locator(PICTURE)
    picture.press("Home")
    ring = chart.locator(".ring").bounding_box()
    told = chart.locator("output").text_content()
    picture.press("Escape")
    assert ring is not None
    page.mouse.move(ring["x"] + ring["width"] / 2 + 3, ring["y"] + ring["height"] / 2)
    expect(chart.locator("output")).to_have_text(told or "")
    page.mouse.move(0, 0)
    expect(chart.locator("output")).to_be_hidden()


def test_without_scripts_its_table_is_there(open_charts: Callable[..., Page]) -> None:
    page = open_charts(HOME, javascript=False)
    for chart in charts(page):
        table = chart.locator("table")
        assert table.evaluate(IS_SHOWN)
        assert table.locator("tbody tr").count() > 0
    axe(page)


def test_charts_are_drawn_again_on_a_refresh_and_in_another_width(open_charts: Callable[..., Page]) -> None:
    page = open_charts(HOME)
    chart = charts(page)[0]
    assert not chart.locator("table").evaluate(IS_SHOWN)
    chart.locator("summary").click()
    chart.locator(PICTURE).focus()
    with page.expect_response(f"**{HOME}"):
        page.get_by_role("button", name="Stop refreshing").click()
        page.get_by_role("button", name="Start refreshing").click()
    expect(chart.locator(PICTURE)).to_be_visible()
    assert chart.locator("table").evaluate(IS_SHOWN)
    for width, _ in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        place = chart.locator("[data-drawing]")
        expect(chart.locator(PICTURE)).to_have_attribute(
            "width", str(place.evaluate("place => place.clientWidth"))
        )


def test_its_texts_stay_inside_where_people_write_from_right_to_left(
    open_charts: Callable[..., Page],
) -> None:
    page = open_charts(HOME)
    page.set_extra_http_headers({"Accept-Language": "ar"})
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    for chart in charts(page):
        expect(chart.locator(PICTURE)).to_be_visible()
        outside = chart.evaluate(
            """figure => {
                const box = figure.getBoundingClientRect();
                const texts = [...figure.querySelectorAll("svg[role=group] text")];
                return texts.filter((text) => {
                    const part = text.getBoundingClientRect();
                    return part.left < box.left || part.right > box.right;
                }).map((text) => text.textContent);
            }"""
        )
        assert outside == [], chart.get_attribute("id")

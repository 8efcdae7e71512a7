"""The pages of watching in a real browser: accessible, up to date by themselves, still when told."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from judging.core.clock import now
from judging.models import Study, WorkerFigures
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.worker.services.reservation import reserve_unit
from tests.factories import answer_wrongly, inverted, judge_unit, later, make_study, make_worker, send
from tests.support.browser import LOOKS, axe, check_looks, holds


@pytest.fixture
def study(transactional_db: None) -> Study:
    """Everything that the pages can show: bad anchors and questions, failures, reservations, flags, back."""
    study = make_study(topics=2, judgments_per_document=20)
    for _ in range(2):
        worker = make_worker(study)
        for turn in range(2):
            judge_unit(worker, now=later(minutes=20 * turn))
    for turn in range(8):
        judge_unit(make_worker(study), magnitude=inverted, now=later(hours=turn))
        answer_wrongly(make_worker(study, upto="question"))
    worker = make_worker(study, upto="judging")
    send(worker)
    send(worker, action="back")
    judge_unit(worker, now=later(minutes=1))
    compute_statistics(study=study, now=later(hours=999))
    spammed = WorkerFigures.objects.order_by("pk")[0]
    spammed.flags, spammed.flagged = ["Fails often: 3.0 failed checks for each unit begun."], 1
    spammed.save()
    return study


def test_no_link_of_a_finding_is_hidden_on_a_phone(open_console: Callable[..., Page], study: Study) -> None:
    page = open_console("/console/studies/study/", width=375)
    links = page.locator("[data-suspect] a")
    assert links.count() > 1
    for link in links.all():
        expect(link).to_be_visible()


def test_every_page_is_accessible(open_console: Callable[..., Page], study: Study) -> None:
    name = f"{study.title} ({study.slug})"
    page = open_console("/console/studies/study/")
    expect(page.get_by_role("button", name="Stop refreshing")).to_be_visible()
    holds(page, name, LOOKS)
    page.get_by_role("link", name="Quality", exact=True).click()
    expect(page.locator("[data-suspect=anchor]").first).to_be_visible()
    page.locator("main details:not(.menu) summary").first.click()
    holds(page, f"Quality of {name}", LOOKS)
    page.get_by_role("link", name="hour", exact=True).click()
    page.wait_for_url("**by=hour**")
    holds(page, f"Quality of {name}", LOOKS)
    page.get_by_role("link", name="Workers", exact=True).click()
    page.get_by_role("link", name="Worker statistics").click()
    page.locator("main details:not(.menu) summary").first.click()
    holds(page, f"Worker statistics of {name}", LOOKS)
    page.get_by_role("link", name="Completed", exact=True).click()
    page.wait_for_url("**sort=-units")
    page.locator("tbody a.id").first.click()
    expect(page.get_by_role("heading", name="Actions")).to_be_visible()
    page.locator("details.act summary").first.click()
    check_looks(page)
    page.goto(page.url.split("/workers/")[0] + "/thresholds/")
    holds(page, f"Thresholds of {name}", LOOKS)
    page.get_by_label("(b) Questions answered wrongly, %").fill("many")
    page.get_by_role("button", name="Save the thresholds").click()
    holds(page, f"Error: Thresholds of {name}", LOOKS)


def units_done(number: int) -> re.Pattern[str]:
    """The fact “Units done”, whatever the number of units wanted."""
    return re.compile(rf"^\s*{number}\b")


def test_the_page_keeps_itself_up_to_date_until_it_is_stopped(
    open_console: Callable[..., Page], transactional_db: None
) -> None:
    study = make_study(topics=1, judgments_per_document=6)
    page = open_console("/console/studies/study/")
    page.clock.install()
    page.reload()
    done = page.locator("dl.facts dd").first
    expect(done).to_have_text(units_done(0))
    judge_unit(make_worker(study))
    page.clock.run_for(11_000)
    expect(done).to_have_text(units_done(1))
    expect(page.get_by_role("status")).not_to_be_empty()
    region = page.get_by_role("region", name="Topics", exact=True)
    region.focus()
    judge_unit(make_worker(study))
    page.clock.run_for(11_000)
    expect(done).to_have_text(units_done(2))
    assert region.evaluate("one => one === document.activeElement"), "who reads a table stays in it"
    page.get_by_role("button", name="Stop refreshing").click()
    expect(page.get_by_role("button", name="Start refreshing")).to_be_visible()
    judge_unit(make_worker(study))
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.clock.run_for(600_000)
    assert seen == []
    expect(done).to_have_text(units_done(2))
    page.get_by_role("button", name="Start refreshing").click()
    expect(done).to_have_text(units_done(3))


def test_a_page_that_cannot_be_refreshed_says_so(
    open_console: Callable[..., Page], transactional_db: None
) -> None:
    make_study(topics=1)
    page = open_console("/console/studies/study/table1/")
    page.route("**/table1/", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("status")).not_to_be_empty()


def test_without_scripts_a_reload_does_it(open_console: Callable[..., Page], transactional_db: None) -> None:
    study = make_study(topics=1, judgments_per_document=3)
    page = open_console("/console/studies/study/", javascript=False)
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_role("button", name="Stop refreshing")).to_be_hidden()
    judge_unit(make_worker(study))
    page.reload()
    expect(page.locator("dl.facts dd").first).to_have_text(units_done(1))


def test_a_worker_is_acted_on_without_scripts(
    open_console: Callable[..., Page], transactional_db: None
) -> None:
    study = make_study(topics=2, judgments_per_document=3)
    worker = make_worker(study)
    judge_unit(worker)
    assert reserve_unit(participation=worker, now=now(), rng=Random("chance"))
    page = open_console(f"/console/studies/study/workers/{worker.pseudonym}/", javascript=False)
    page.locator("button[name=action][value=free]").click()
    expect(page.get_by_role("status")).not_to_be_empty()
    page.locator("details.act summary").click()
    page.locator("details.act").get_by_label("Reason").fill("Not read.")
    page.locator("details.act").get_by_label("Collect the judgments again").check()
    page.get_by_role("button", name="Exclude unit").click()
    expect(page.get_by_role("status")).not_to_be_empty()
    assert worker.assignments.get(number=1).unit.excluded_at is not None
    page.get_by_role("button", name="Block the worker").click()
    expect(page.get_by_role("button", name="Unblock the worker")).to_be_visible()
    worker.refresh_from_db()
    assert worker.state == "blocked"
    axe(page)


def test_chart_and_list_of_workers_select_each_other(
    open_console: Callable[..., Page], transactional_db: None
) -> None:
    study = make_study(topics=2, judgments_per_document=3)
    for _ in range(2):
        worker = make_worker(study)
        for turn in range(2):
            judge_unit(worker, now=later(hours=turn))
    compute_statistics(study=study, now=later(hours=9))
    page = open_console("/console/studies/study/workers/?sort=worker")
    chart, rows = page.locator("#workers-scatter"), page.locator("table.workers tbody tr")
    readout = chart.locator("output")
    name = rows.nth(1).locator("a").inner_text()
    rows.nth(1).hover()
    expect(readout).to_contain_text(name)
    page.mouse.move(0, 0)  # otherwise scrolling moves the mouse off the row, which clears the choice
    chart.locator("svg").focus()
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(page.locator("tr.chosen")).to_have_count(1)
    chosen = page.locator("tr.chosen a").inner_text()
    expect(readout).to_contain_text(chosen)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/workers/{chosen}/")
    holds(page, f"Worker {chosen} of {study.title} ({study.slug})", LOOKS)
    other = study.participations.exclude(pseudonym=chosen).get()
    page.get_by_label("Compare with worker").fill(other.pseudonym)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/worker-pair/**")
    holds(page, f"Two workers of {study.title} ({study.slug})", LOOKS)

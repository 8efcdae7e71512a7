"""Table 1, events and workers in a real browser: accessible and readable, with scripts and without."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Document, EventKind, Participation, Study, Topic
from tests.benchmarks.large_study import LargeStudy
from tests.console.test_pages import add_events
from tests.factories import (
    fail_practice,
    inverted,
    judge_unit,
    later,
    make_study,
    make_worker,
    pass_practice,
)
from tests.support.browser import holds

HOME = "/console/studies/large/"
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_every_list_is_accessible_and_leads_back(
    open_console: Callable[..., Page], study: Study, width: int, scheme: str
) -> None:
    page = open_console(HOME, width=width, color_scheme=scheme)
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
    expect(page.get_by_role("alert")).to_contain_text("The last day comes before the first: exchange them.")
    holds(page, f"Error: Events of {name}")
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
    expect(page.get_by_text("(d) time failed: try 1, 8 documents short of time")).to_be_visible()
    page.get_by_role("link", name="All workers").click()
    page.get_by_role("link", name=study.title).click()
    expect(page).to_have_title(f"{name} – Plumbline console")


def test_the_filters_work_without_scripts(open_console: Callable[..., Page], study: Study) -> None:
    page = open_console(HOME, javascript=False)
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
    page.wait_for_url(lambda address: "check=" not in address)
    expect(page.get_by_label("Topic")).to_have_value("")


@pytest.mark.parametrize(("width", "scheme"), [(375, "dark"), (1280, "light")])
def test_lists_side_by_side_turn_their_pages(
    live_server: LiveServer,
    open_console: Callable[..., Page],
    transactional_db: None,
    width: int,
    scheme: str,
) -> None:
    many = make_study(slug="many", topics=120, judgments_per_document=1)
    worker = make_worker(many)
    add_events(worker, 120, EventKind.PRACTICE_FAILED)
    unit = judge_unit(worker, now=later(hours=9))
    place = {"assignment": unit, "unit": unit.unit, "topic": unit.topic}
    add_events(worker, 45, EventKind.TIME_FAILED, **place)
    page = open_console(HOME, width=width, color_scheme=scheme)
    page.goto(f"{live_server.url}/console/studies/{many.slug}/")
    name = f"{many.title} ({many.slug})"
    topics = page.get_by_role("navigation", name="Pages of topics", exact=True)
    quality = page.get_by_role("navigation", name="Pages of quality events")
    topics.get_by_role("link", name="Page 2").click()
    page.wait_for_url("**/?topics=2#topics")
    quality.get_by_role("link", name="After →").click()
    page.wait_for_url("**/?topics=2&quality=2#quality")
    expect(page.get_by_role("heading", name="Quality events")).to_be_in_viewport()
    expect(topics.locator("[aria-current=page]")).to_have_text("2")
    holds(page, name)
    page.goto(f"{live_server.url}/console/studies/{many.slug}/table1/")
    page.get_by_role("link", name="Page 3").click()
    expect(page.get_by_text("Topics 101 to 120 of 120, the last row for all.")).to_be_visible()
    holds(page, f"Table 1 of {name}")
    page.goto(f"{live_server.url}/console/studies/{many.slug}/workers/{worker.pseudonym}/")
    page.get_by_role("navigation", name="Pages of events of unit").get_by_role("link", name="Page 2").click()
    expect(page.get_by_text("Events 21 to 40 of 45, the latest first")).to_be_visible()
    outside = page.get_by_role("navigation", name="Pages of events outside units")
    outside.get_by_role("link", name="After →").click()
    expect(page.get_by_text("Events 51 to 100 of 120, the latest first")).to_be_visible()
    expect(page.get_by_role("heading", name="Outside units")).to_be_in_viewport()
    expect(page.get_by_text("Events 21 to 40 of 45, the latest first")).to_be_visible()
    holds(page, f"Worker {worker.pseudonym} of {name}")

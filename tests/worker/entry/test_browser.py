"""Entering a study in a real browser: the page “Worker links”, and a link that does not work."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import WorkerLink
from tests.factories import NOW, make_study
from tests.people.conftest import browser_of, make_people
from tests.support.browser import axe, holds, log_in, open_place
from tests.worker.entry.conftest import signed_link
from tests.worker.pages.conftest import Clock

TITLE = "Worker links of The study study (study)"


@pytest.mark.parametrize(("width", "scheme"), [(375, "dark")])
def test_links_are_made_and_taken_back(
    live_server: LiveServer, transactional_db: None, new_page: Callable[..., Page], width: int, scheme: str
) -> None:
    study = make_study(entry="invite")
    people = make_people(study, make_study(slug="other", opened=False))
    page = new_page(width=width, color_scheme=scheme)
    log_in(page, live_server, browser_of(people["owner"]))
    page.goto(f"{live_server.url}/console/studies/study/")
    open_place(page, "Set-up", "Worker links")
    holds(page, TITLE)
    page.get_by_label("Number of links").fill("2")
    with page.expect_download() as started:
        page.get_by_role("button", name="Create and download the links").click()
    _, first, second = started.value.path().read_text().splitlines()
    assert first != second
    page.reload()
    page.get_by_role("button", name="Cancel unused links").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert not WorkerLink.objects.filter(taken_back_at=None).exists()
    holds(page, TITLE)
    guest = new_page(width=width, color_scheme=scheme)
    guest.goto(first.partition(",")[2])
    expect(guest.get_by_role("heading", level=1)).to_be_visible()
    expect(guest.get_by_role("button")).to_have_count(0)
    axe(guest)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light")])
def test_the_secret_is_made(
    live_server: LiveServer,
    transactional_db: None,
    clock: Clock,
    new_page: Callable[..., Page],
    width: int,
    scheme: str,
) -> None:
    study = make_study(entry="signed", platform="generic", id_parameter="PID", submission_parameter="VISIT")
    people = make_people(study, make_study(slug="other", opened=False))
    page = new_page(width=width, color_scheme=scheme)
    log_in(page, live_server, browser_of(people["owner"]))
    page.goto(f"{live_server.url}/console/studies/study/way-in/")
    page.get_by_role("button", name="Create the secret").click()
    expect(page.get_by_role("status")).to_be_visible()
    holds(page, TITLE)
    study.refresh_from_db()
    assert clock.now == NOW
    guest = new_page(width=width, color_scheme=scheme)
    guest.goto(live_server.url + signed_link(study, "person"))
    expect(guest.get_by_role("button", name="I agree")).to_be_visible()

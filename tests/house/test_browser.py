"""Every page in Chromium: it logs nothing in the console, and without scripts no control does nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client, override_settings
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.factories import make_worker
from tests.house.walk import World, addresses

NewPage = Callable[..., Page]
STEPS = ("consented", "practising", "ready", "question", "judging")


@pytest.fixture
def served(transactional_db: None, tmp_path: Path) -> Iterator[World]:
    with override_settings(EXPORTS_FOLDER=tmp_path, DRAFTS_FOLDER=tmp_path, REPORTS_FOLDER=tmp_path):
        yield World()


def visit(world: World, page: Page, site: LiveServer) -> Iterator[str]:
    """Open every page of the site, and every step of a worker, and yield the address of each."""
    for visitor in ("admin", "worker"):
        client = world.browser(visitor)
        found = []
        for name, route in addresses():
            answer = client.get(address := world.address(name, route))
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                found.append(address)
        page.context.clear_cookies()
        cookies = world.browser(visitor).cookies.items()
        page.context.add_cookies(
            [{"name": name, "value": cookie.value, "url": site.url} for name, cookie in cookies]
        )
        for address in found:
            page.goto(f"{site.url}{address}")
            yield address
    for step in STEPS:
        page.context.clear_cookies()
        page.goto(f"{site.url}/s/study/resume/{make_worker(world.study, upto=step).token}/")
        yield step


@pytest.mark.slow
def test_no_page_logs_an_error(served: World, new_page: NewPage, live_server: LiveServer) -> None:
    page, logged = new_page(), []
    page.on("console", lambda message: logged.append((page.url, message.type, message.text)))
    visited = list(visit(served, page, live_server))
    assert {"/console/", "/s/study/", "judging"} <= {*visited}
    assert logged == []


@pytest.mark.slow
def test_without_scripts_every_control_does_something(
    served: World, new_page: NewPage, live_server: LiveServer
) -> None:
    page = new_page(javascript=False)
    idle, hidden = [], 0
    for address in visit(served, page, live_server):
        # The browser itself opens popovers.
        buttons = page.locator(":is(button, input)[type=button]:not([popovertarget]), [role=button]")
        hidden += buttons.count()
        idle += [(address, text) for text in buttons.locator("visible=true").all_text_contents()]
        outside = page.locator("main :is(input, select, textarea):not(form *, [form], [readonly])")
        idle += [(address, field.get_attribute("name")) for field in outside.locator("visible=true").all()]
        # Browsers cut pasted text in silence. Names and passwords that are too long are wrong in any case.
        cut = page.locator("[maxlength]:not([type=password], [autocomplete=username], [autocomplete=email])")
        assert cut.count() == 0, address
    assert hidden, "buttons for scripts are among the pages"
    assert idle == []


def test_chromium_knows_every_feature_that_pages_give_up(new_page: NewPage, client: Client) -> None:
    policy = client.get("/healthz")["Permissions-Policy"]
    known = new_page().evaluate("document.featurePolicy.features()")
    assert {part.removesuffix("=()") for part in policy.split(", ")} <= set(known)

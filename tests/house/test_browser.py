"""Every page in Chromium: it logs nothing in the console, and without scripts no control does nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client, override_settings
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from judging.core.clock import now
from tests.factories import make_study, make_worker
from tests.house.walk import World, addresses

NewPage = Callable[..., Page]
CONTROLS = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width && box.height && getComputedStyle(element).visibility === "visible";
  };
  // The browser itself opens popovers.
  const buttons = all(":is(button, input)[type=button]:not([popovertarget]), [role=button]");
  const outside = all("main :is(input, select, textarea):not(form *, [form], [readonly])");
  // Browsers cut pasted text in silence. Names and passwords that are too long are wrong in any case.
  const cut = all("[maxlength]:not([type=password], [autocomplete=username], [autocomplete=email])");
  return {
    buttons: buttons.length,
    idle: [...buttons, ...outside].filter(isShown).map((element) => element.name || element.textContent),
    cut: cut.map((element) => element.name),
  };
}"""
STEPS = ("consented", "practising", "ready", "question", "judging")


@pytest.fixture
def served(transactional_db: None, tmp_path: Path) -> Iterator[World]:
    with override_settings(EXPORTS_FOLDER=tmp_path, DRAFTS_FOLDER=tmp_path, REPORTS_FOLDER=tmp_path):
        yield World()


def visit(world: World, pages: list[Page], site: LiveServer) -> Iterator[str]:
    """Open every page of the site, and every step of a worker, and yield the address of each."""
    for visitor in ("admin", "worker"):
        client = world.browser(visitor)
        found = []
        for name, route in addresses():
            answer = client.get(address := world.address(name, route))
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                found.append(address)
        cookies = world.browser(visitor).cookies.items()
        for page in pages:
            page.context.clear_cookies()
            page.context.add_cookies(
                [{"name": name, "value": cookie.value, "url": site.url} for name, cookie in cookies]
            )
        for address in found:
            for page in pages:
                page.goto(f"{site.url}{address}")
            yield address
    study = make_study(slug="steps")
    for step in STEPS:
        worker = make_worker(study, upto=step, now=now())  # by the clock of the pages
        for page in pages:
            page.context.clear_cookies()
            page.goto(f"{site.url}/s/steps/resume/{worker.token}/")
        yield urlsplit(page.url).path


@pytest.mark.slow
def test_no_page_logs_an_error_and_without_scripts_every_control_does_something(
    served: World, new_page: NewPage, live_server: LiveServer
) -> None:
    page, without_scripts, logged = new_page(), new_page(javascript=False), []
    page.on("console", lambda message: logged.append((page.url, message.type, message.text)))
    visited, idle, cut, hidden = set(), [], [], 0
    for address in visit(served, [page, without_scripts], live_server):
        visited.add(address)
        controls = without_scripts.evaluate(CONTROLS)
        idle += [(address, text) for text in controls["idle"]]
        cut += [(address, name) for name in controls["cut"]]
        hidden += controls["buttons"]
    assert {"/console/", "/s/study/", "/s/steps/topic/1/", "/s/steps/judge/1/0/"} <= visited
    assert logged == []
    assert (idle, cut) == ([], [])
    assert hidden, "buttons for scripts are among the pages"


def test_chromium_knows_every_feature_that_pages_give_up(new_page: NewPage, client: Client) -> None:
    policy = client.get("/healthz")["Permissions-Policy"]
    known = new_page().evaluate("document.featurePolicy.features()")
    assert {part.removesuffix("=()") for part in policy.split(", ")} <= set(known)

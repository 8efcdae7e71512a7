"""Pages in a real Chromium.

`chromium_page` is a page with everything a visitor has; `new_page(javascript=False, width=375, …)` opens
others, each in a context of its own, and `open_console(address)` one of the console, logged in;
`open_shared_console` does so on the rows of a module. A page that raises a script error, breaks its content
security policy or asks another host for anything fails its test at the end. `axe(page)` checks accessibility.
Its checks of contrast take time with every row of a table, so give the lists that it checks few rows.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakSet

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from deploy.suite import find_chromium

if TYPE_CHECKING:  # they bring Django along, which is not set up yet where plugins are read
    from django.test import Client
    from pytest_django.live_server_helper import LiveServer

# Root may not use Chromium's sandbox, and containers keep /dev/shm small; the pages are our own.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--force-color-profile=srgb"]
WITHOUT_JAVASCRIPT: WeakSet[BrowserContext] = WeakSet()
LOCAL = {"127.0.0.1", "localhost", ""}
LOOKS = [(375, "dark"), (1280, "light")]
"""A phone and a screen, so that a page is seen in each width and in each scheme of colours."""
PICTURES_TO = "PLUMBLINE_PICTURES_TO"
"""The variable with a folder for a picture of each look; see `tests.support.contact_sheet`."""
CHECKED_BY_AXE = LOOKS[:1]
"""The looks in which axe checks each page; with `--full` all of them."""


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--full"):
        CHECKED_BY_AXE[:] = LOOKS


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running Chromium, one for this process; without one the test skips, saying so."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium on this machine")
    # Playwright keeps an event loop in this thread, so Django would take each query for one in async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page_faults() -> list[str]:
    """What pages of this test did that no page may; where there is any, `new_page` fails the test."""
    return []


@pytest.fixture
def new_page(browser: Browser, page_faults: list[str]) -> Iterator[Callable[..., Page]]:
    """A function that opens a page in a context of its own, of the given size and with JavaScript or without.

    Further keyword arguments are Playwright's for a context. All pages close at the end of the test.
    """
    contexts: list[BrowserContext] = []

    def note_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in {*LOCAL, None}:
            page_faults.append(f"a request left the site: {request.url}")

    def note_console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            page_faults.append(message.text)

    def open_page(
        *,
        javascript: bool = True,
        width: int = 1280,
        height: int = 800,
        color_scheme: str = "light",
        **options: Any,
    ) -> Page:
        context = browser.new_context(
            java_script_enabled=javascript,
            viewport={"width": width, "height": height},
            color_scheme=color_scheme,
            **options,
        )
        contexts.append(context)
        if not javascript:
            WITHOUT_JAVASCRIPT.add(context)
        context.set_default_timeout(10_000)
        context.on("request", note_request)
        context.on("console", note_console)
        context.on("weberror", lambda error: page_faults.append(f"script error: {error.error}"))
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert not page_faults, "\n".join(page_faults)


@pytest.fixture
def chromium_page(new_page: Callable[..., Page]) -> Page:
    """A page in Chromium at its usual size, with JavaScript."""
    return new_page()


@pytest.fixture
def open_console(
    live_server: "LiveServer", transactional_db: None, console: "Client", new_page: Callable[..., Page]
) -> Callable[..., Page]:
    """A function that opens an address of the console, logged in; its options are those of `new_page`."""

    def opened(address: str = "/console/", **options: Any) -> Page:
        page = new_page(**options)
        log_in(page, live_server, console)
        page.goto(f"{live_server.url}{address}")
        return page

    return opened


@pytest.fixture(scope="module")
def shared_console(committed_module_db: None) -> "Client":
    """A browser logged in as an admin, for tests that only look at the rows of their module."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    return client


@pytest.fixture
def open_shared_console(
    module_server: "LiveServer", shared_console: "Client", new_page: Callable[..., Page]
) -> Callable[..., Page]:
    """As `open_console`, on the site that `module_server` serves."""

    def opened(address: str = "/console/", **options: Any) -> Page:
        page = new_page(**options)
        log_in(page, module_server, shared_console)
        page.goto(f"{module_server.url}{address}")
        return page

    return opened


def log_in(page: Page, site: "LiveServer", client: "Client") -> None:
    """Give the page's browser the session of a test client."""
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site.url}
    page.context.add_cookies([cookie])


def open_place(page: Page, place: str, name: str = "") -> None:
    """Follow the navigation of a study to a place and, by its `name`, to one of its pages, at any width."""
    menu = page.locator("button[popovertarget=places]")
    if menu.is_visible():
        menu.click()
    page.locator("#places").get_by_role("link", name=place, exact=True).click()
    if name:
        page.locator("nav.subpages").get_by_role("link", name=name, exact=True).click()


def fits(page: Page) -> bool:
    """Whether nothing scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def holds(page: Page, title: str, looks: Iterable[tuple[int, str]] = ()) -> None:
    """Wait for the page of the console of that title, and check it as it is open or in each of the looks."""
    expect(page).to_have_title(f"{title} – Plumbline console")
    page.wait_for_load_state()
    if looks:
        check_looks(page, looks)
        return
    axe(page)
    assert fits(page), page.url


def check_looks(page: Page, looks: Iterable[tuple[int, str]] = LOOKS) -> None:
    """Check that the page that is open is accessible, and in no look wider than the screen."""
    for look in looks:
        width, scheme = look
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        if look in CHECKED_BY_AXE:
            axe(page)
        assert fits(page), f"{page.url} at {width}"
        if folder := os.environ.get(PICTURES_TO):
            number = sum(1 for _ in Path(folder).iterdir())
            page.screenshot(path=Path(folder, f"{number:03}-{width}.png"), full_page=True)


@contextmanager
def with_scripts(page: Page) -> Iterator[Page]:
    """Give a page axe can run in: this one, or a twin if it has no JavaScript: there timers stand still.

    The twin is the same document at the same address, its scripts left out and its noscript parts shown.
    """
    if page.context not in WITHOUT_JAVASCRIPT:
        yield page
        return
    document = re.sub(r"<script\b.*?</script>", "", page.content(), flags=re.DOTALL)
    document = document.replace("<noscript", "<div").replace("</noscript", "</div")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert page.context.browser is not None
    with page.context.browser.new_context(
        viewport=page.viewport_size, color_scheme="dark" if dark else "light"
    ) as context:
        twin = context.new_page()
        twin.route(
            page.url, lambda route: route.fulfill(body=document, content_type="text/html; charset=utf-8")
        )
        twin.goto(page.url)
        yield twin


def axe(page: Page) -> None:
    """Fail with a readable list where axe-core finds a fault: its default rules and all of WCAG 2.2 AA."""
    page.wait_for_load_state()  # A click returns when the next page is begun, not when it is there.
    with with_scripts(page) as scripted:
        if scripted.evaluate("typeof axe") == "undefined":
            scripted.evaluate(AXE_SCRIPT)
        # The one rule that is off unless asked for; what passes is not collected.
        options = {"rules": {"target-size": {"enabled": True}}, "resultTypes": ["violations"]}
        violations = scripted.evaluate("async options => (await axe.run(options)).violations", options)
    results = [
        f"{violation['impact']}: {violation['help']} ({violation['id']})\n    {node['html']}"
        for violation in violations
        for node in violation["nodes"]
    ]
    assert not results, f"axe finds in {page.url}:\n" + "\n".join(results)

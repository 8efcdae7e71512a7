"""What every page is sent with, and how much of it there is."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from playwright.sync_api import Page as BrowserPage
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from judging.core.services.studies import open_study
from judging.models import Study
from judging.protocol.platforms.mturk import PLATFORM
from tests.factories import NOW, make_study, make_worker
from tests.support.visitor import Page, Reply, Visitor
from tests.worker.pages.conftest import Clock
from tests.worker.pages.replays import plain
from tests.worker.pages.tour import tour, tour_study

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FRAMED = "/s/framed/"
"""The pages that a platform shows in its frame; see tests/platforms/mturk/test_frame.py."""
POLICY_IN_FRAME = POLICY | {
    "form-action": " ".join(PLATFORM.submits_to),
    "frame-ancestors": " ".join(PLATFORM.framed_by),
}
MOST_BYTES = 30_000
SAMPLE = Path(settings.BASE_DIR, "judging/sample/study.toml")
STATIC = [file for file in Path(settings.BASE_DIR, "static").rglob("*") if file.is_file()]
TEMPLATES = [*Path(settings.BASE_DIR, "templates").rglob("*.html")]


@pytest.fixture(scope="module")
def seen(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> list[Reply]:
    """Every reply of one tour through the worker's pages, of which nothing stays in the database."""
    with django_db_blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        replies = tour(tour_study(), Clock(patch))
        transaction.set_rollback(True)
    return replies


@pytest.mark.slow
def test_every_page_carries_the_headers_that_protect_it(seen: list[Reply]) -> None:
    for reply in seen:
        policy = dict(
            part.strip().split(" ", 1) for part in reply.header("Content-Security-Policy").split(";")
        )
        framed = reply.url.startswith(FRAMED)
        assert policy == (POLICY_IN_FRAME if framed else POLICY), reply.url
        headers = HEADERS | {"X-Frame-Options": ""} if framed else HEADERS
        assert {name: reply.header(name) for name in HEADERS} == headers, reply.url
        assert "no-store" in reply.header("Cache-Control"), reply.url
        assert not reply.header("Server")
    assert {reply.status for reply in seen} == {200, 302, 403, 404, 409, 429}


def test_no_page_has_script_or_style_of_its_own(seen: list[Reply]) -> None:
    for reply in seen:
        if reply.status == 302:
            assert reply.body == b""
            continue
        for tag, attributes in Page(reply).tags:
            assert tag not in {"style", "base", "iframe", "object", "embed"}, reply.url
            assert tag != "script" or attributes.get("src", "").startswith("/static/"), reply.url
            odd = [name for name in attributes if name == "style" or name.startswith("on")]
            assert not odd, (reply.url, tag, attributes)


def test_every_page_loads_from_this_site_alone(seen: list[Reply]) -> None:
    for reply in seen:
        for tag, attributes in Page(reply).tags:
            sources = [attributes.get(name, "") for name in ("src", "srcset", "action", "poster", "data")]
            if tag == "link":
                sources.append(attributes["href"])
            own = ("/", *PLATFORM.submits_to) if reply.url.startswith(FRAMED) and tag == "form" else "/"
            assert all(source.startswith(own) for source in sources if source), (reply.url, tag, attributes)
            if tag == "a" and attributes["href"].startswith("https:"):
                assert attributes["rel"] == "noreferrer", "where a worker comes from is nobody's business"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.name)
def test_no_template_writes_script_or_style_inline(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"(?i)<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", text)
    assert "|safe" not in text
    assert "autoescape off" not in text


def test_static_files_load_nothing_from_elsewhere() -> None:
    for file in STATIC:
        if file.suffix in {".css", ".js"}:
            # The names of XML's namespaces are addresses, but nothing is loaded from them.
            elsewhere = r"(?i)https?://(?!www\.w3\.org/)|@import|\burl\(\s*['\"]?(?!#)"
            assert not re.search(elsewhere, file.read_text()), file


def test_static_files_carry_the_headers_too_and_may_be_kept(visitor: Visitor) -> None:
    for name in ("site.css", "plumbline.svg", "js/judge.js", "js/magnitude.js"):
        reply = visitor.request("GET", f"/static/{name}")
        assert reply.status == 200, name
        assert reply.header("X-Content-Type-Options") == "nosniff"
        assert "max-age=3600" in reply.header("Cache-Control")
        assert not reply.cookies


def test_an_error_of_ours_is_a_page_too(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    make_study()

    def broken(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("judging.worker.pages.entry.platform_of", broken)
    response = Client(raise_request_exception=False).get("/s/study/")
    assert response.status_code == 500
    assert "RuntimeError" not in response.content.decode()
    assert response["Content-Security-Policy"]


def test_no_page_and_no_static_file_speaks_of_anchors(seen: list[Reply]) -> None:
    files = [
        file.read_bytes() for file in STATIC if "vendor" not in file.parts
    ]  # only the console loads these
    for body in (*(plain(reply)[3] for reply in seen), *files):
        assert not re.search(rb"(?i)\b(anchor|gold|trap|grade|check_)", body), body[:200]


def test_cookies_are_for_this_site_and_no_script(seen: list[Reply]) -> None:
    cookies = [cookie for reply in seen for cookie in reply.cookies]
    names = {cookie.split("=")[0] for cookie in cookies}
    assert {"csrftoken", "plumbline_paid", "plumbline_study"} <= names
    assert all(re.fullmatch(r"csrftoken|plumbline_(paid|study|scale-\d)", name) for name in names)
    assert all("HttpOnly" in cookie and "SameSite=Lax" in cookie for cookie in cookies)


# --- over the wire -----------------------------------------------------------------------------------------


def wire_bytes(page: BrowserPage, act: Callable[[], Any]) -> dict[str, int]:
    """Address → bytes received for it, headers and all, while something is done on the page."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("Network.enable")
    protocol.send("Network.setCacheDisabled", {"cacheDisabled": True})
    names, sizes = {}, {}
    protocol.on("Network.requestWillBeSent", lambda e: names.update({e["requestId"]: e["request"]["url"]}))
    protocol.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
    act()
    page.wait_for_load_state("networkidle")
    protocol.detach()
    return {names[key]: int(size) for key, size in sizes.items()}


@pytest.mark.django_db(transaction=True)
def test_first_and_judging_page_weigh_at_most_thirty_kilobytes(
    live_server: LiveServer, new_page: Callable[..., BrowserPage], record_property: Callable[..., None]
) -> None:
    call_command("import_study", str(SAMPLE), verbosity=0)
    open_study(study=Study.objects.get(slug="sample"), now=NOW)
    worker = make_worker(Study.objects.get(slug="sample"), upto="judging")
    page = new_page()
    for name, address in (("first", "/s/sample/"), ("judging", f"/s/sample/resume/{worker.token}/")):
        loaded = wire_bytes(page, lambda address=address: page.goto(live_server.url + address))
        assert all(url.startswith((live_server.url, "data:")) for url in loaded)
        assert any(url.endswith(".css") for url in loaded)
        record_property(f"{name} page", sum(loaded.values()))
        assert 0 < sum(loaded.values()) <= MOST_BYTES, f"{name} page: {loaded}"

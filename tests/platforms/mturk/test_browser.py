"""A worker on MTurk in a real browser: a frame on another site, a tab of its own, and the form at the end."""

from collections.abc import Callable, Iterator
from random import Random
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import FrameLocator, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.core.clock import now
from judging.models import Participation
from judging.protocol.platforms.mturk import NOT_ACCEPTED, PLATFORM
from judging.worker.services.practice import start_practice
from tests.factories import judge_unit, make_study, pass_practice
from tests.support.browser import axe
from tests.support.listening import Listening, Request, reply


class Host(Listening):
    """A site on another host that shows the study in a frame, and that takes the form at the end."""

    def __init__(self) -> None:
        self.framed = ""
        self.taken: list[dict[str, list[str]]] = []
        super().__init__()

    def answer(self, request: Request, body: bytes) -> None:
        page = f'<iframe src="{self.framed}" width="360" height="700">'
        if request.command == "POST":
            self.taken.append(parse_qs(body.decode()))
            page = "<p>Thank you."
        data = f"<!DOCTYPE html><title>Host</title>{page}".encode()
        reply(request, 200, data, {"Content-Type": "text/html"})


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A running host, which the preset takes for MTurk."""
    server = Host()
    monkeypatch.setattr(type(PLATFORM), "framed_by", (server.address,))
    monkeypatch.setattr(type(PLATFORM), "submits_to", (server.address,))
    yield server
    server.stop()


def show(page: Page, host: Host, address: str) -> FrameLocator:
    host.framed = f"{address}&turkSubmitTo={host.address}".replace("&", "&amp;")
    page.goto(host.address)
    return page.frame_locator("iframe")


def test_from_the_preview_to_the_form(
    live_server: LiveServer, transactional_db: None, host: Host, new_page: Callable[..., Page]
) -> None:
    make_study(platform="mturk", seconds_per_document=0)
    page = new_page(width=375)
    study = f"{live_server.url}/s/study/"
    frame = show(page, host, f"{study}?assignmentId={NOT_ACCEPTED}&hitId=H1")
    expect(frame.locator("main")).to_have_attribute("data-told", "preview")
    expect(frame.get_by_role("button")).to_have_count(0)
    framed = f"{study}?assignmentId=A1&hitId=H1&workerId=W1"
    frame = show(page, host, framed)
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="Open the study in a new tab").click()
    tab = opened.value
    tab.get_by_role("button", name="I agree").click()
    expect(tab.get_by_role("button", name="Practise")).to_be_visible()
    worker = Participation.objects.get()
    start_practice(participation=worker, now=now(), rng=Random(1))
    pass_practice(worker, now=now())
    unit = judge_unit(worker, now=now())
    expect(frame.locator("main")).to_have_attribute("data-told", "completed", timeout=15_000)
    frame.get_by_role("button").click()
    expect(frame.get_by_text("Thank you.")).to_be_visible()
    assert host.taken == [{"assignmentId": ["A1"], "completion_codes": [unit.completion_code]}]
    for width, scheme in ((375, "dark"), (1440, "light")):
        alone = new_page(width=width, color_scheme=scheme)
        for address in (f"{study}?assignmentId={NOT_ACCEPTED}", framed, framed.replace("A1", "A2")):
            alone.goto(address)
            axe(alone)

"""The clock of the pages, visitors, and the shortest ways to each page."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from judging.core import clock as site_clock
from judging.models import Participation, Study
from tests.factories import NOW, make_study, make_worker
from tests.support.visitor import Visitor, through_client


class Clock:
    """The clock that the pages read, standing still at `now` until it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOW
        monkeypatch.setattr(site_clock, "when", lambda read: self.now)

    def set(self, now: datetime) -> None:
        self.now = now

    def move(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0) -> None:
        self.set(self.now + timedelta(seconds=seconds, minutes=minutes, hours=hours))


@pytest.fixture
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The pages' clock, standing at `tests.factories.NOW`, whatever the database says."""
    return Clock(monkeypatch)


@pytest.fixture
def study(clock: Clock) -> Study:
    """An open study of three topics where check (d) asks for no time, so that a test can go fast."""
    return make_study(topics=3, seconds_per_document=0, pay_per_unit="0.20")


@pytest.fixture
def visitor() -> Visitor:
    """Somebody who has never been here."""
    return Visitor(through_client())


@pytest.fixture
def enter(clock: Clock) -> Callable[..., tuple[Visitor, Participation]]:
    """A function that puts a new worker on the page of a step: `enter(study, upto="judging")`."""

    def at(study: Study, upto: str = "ready", **arrival: str) -> tuple[Visitor, Participation]:
        worker = make_worker(study, upto=upto, now=clock.now, **arrival)
        visitor = Visitor(through_client())
        visitor.open(f"/s/{study.slug}/resume/{worker.token}/")
        return visitor, worker

    return at


@pytest.fixture
def browsed(transactional_db: None, clock: Clock) -> Study:
    """An open study with all the defaults, for the browser: it asks for 20 seconds a document."""
    return make_study(topics=2, pay_per_unit="0.20")


@pytest.fixture
def goto(live_server: LiveServer, clock: Clock) -> Callable[..., Participation]:
    """A function that puts a new worker on the page of a step, in a page of the browser."""

    def go(page: Page, study: Study, upto: str = "judging") -> Participation:
        worker = make_worker(study, upto=upto, now=clock.now)
        page.goto(f"{live_server.url}/s/{study.slug}/resume/{worker.token}/")
        return worker

    return go

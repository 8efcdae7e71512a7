"""Workers at a real site over real HTTP, with the site's clock in the hands of the test."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from judging.models import Assignment, Judgment, Participation, PracticeAttempt, Unit, Visit
from tests.factories import make_worker
from tests.support.http_client import HttpClient
from tests.support.visitor import Visitor, through_http
from tests.worker.pages.conftest import Clock


class Person(Visitor):
    """A worker at the served site, whose cookies and connection are at hand."""

    def __init__(self, address: str, worker: Participation) -> None:
        self.http = HttpClient(base_url=address, timeout=30)
        super().__init__(through_http(address, self.http))
        self.worker = worker
        self.posted: list[tuple[str, dict[str, str]]] = []
        self.open(f"/s/{worker.study.slug}/resume/{worker.token}/")

    def post(self, path: str, data: dict[str, str]) -> Any:
        self.posted.append((path, data))
        return super().post(path, data)

    def press(self, button: str, **typed: Any) -> Any:
        """Fill in the form with this button and send it; it is remembered in `posted`."""
        form = self.page.form_with("action", button)
        return self.post(self.target(form), self.filled(form, button, **typed))


@pytest.fixture
def clock(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the site, standing still until it is moved."""
    return Clock(monkeypatch)


@pytest.fixture
def person(live_server: LiveServer, clock: Clock) -> Callable[..., Person]:
    """A function that puts a new worker on the page of a step: `person(study, upto="judging")`."""

    def at(study: Any, upto: str = "judging", **arrival: str) -> Person:
        return Person(live_server.url, make_worker(study, upto=upto, now=clock.now, **arrival))

    return at


def kept_of(worker: Participation) -> list[list[dict[str, Any]]]:
    """Every row that is a worker's own, and the units they had, as they stand in the database."""
    own = [
        Participation.objects.filter(pk=worker.pk),
        PracticeAttempt.objects.filter(participation=worker),
        Assignment.objects.filter(participation=worker),
        Judgment.objects.filter(assignment__participation=worker),
        Visit.objects.filter(assignment__participation=worker),
        Unit.objects.filter(assignments__participation=worker),
    ]
    return [list(rows.order_by("pk").values()) for rows in own]

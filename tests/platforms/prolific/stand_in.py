"""A local server that speaks Prolific's HTTP as far as the client uses it, and that can fail."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.listening import Listening, Request, reply

TOKEN = "a-token-of-prolific"
PAGE = 2


@dataclass
class Failure:
    """An answer instead of the next one. A status of 0 closes the connection without an answer."""

    status: int
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    done: bool = False
    """Whether the request has its effect all the same."""
    delay: float = 0
    """In seconds, before the answer."""


class Prolific(Listening):
    """`submissions` maps ids to rows; `paid`, `sent` and `confirmed` are what it was asked to do."""

    def __init__(self) -> None:
        self.submissions: dict[str, dict[str, str]] = {}
        self.set_up: dict[str, str] = {}
        self.paid: list[str] = []
        self.sent: list[dict[str, str]] = []
        self.confirmed: list[str] = []
        self.requests: list[str] = []
        self.failures: list[Failure] = []
        self.pay_failure: Failure | None = None
        self.next_page = ""
        super().__init__()

    def add(self, submission: str, participant: str, status: str) -> None:
        self.submissions[submission] = {"id": submission, "participant_id": participant, "status": status}

    def answer(self, request: Request, body: bytes) -> None:
        self.requests.append(f"{request.command} {request.path}")
        failure = self.failures.pop(0) if self.failures else None
        if request.path.endswith("/pay/"):
            failure = failure or self.pay_failure
        status, content, headers = 401, {"error": "no token"}, {}
        if request.headers["Authorization"] == f"Token {TOKEN}" and (failure is None or failure.done):
            status, content, headers = self.act(request.path, json.loads(body or b"{}"))
        data = json.dumps(content).encode()
        if failure is not None:
            status, data, headers = failure.status, failure.body, failure.headers
            time.sleep(failure.delay)
        if not status:
            request.close_connection = True
            return
        with suppress(BrokenPipeError):  # the client waits no longer
            reply(request, status, data, headers)

    def act(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any], dict[str, str]]:
        match path.partition("?")[0].strip("/").split("/")[2:]:
            case ["studies", _, "submissions"]:
                start = int(path.partition("?start=")[2] or 0)
                rows = list(self.submissions.values())
                following = (
                    f"{path.partition('?')[0]}?start={start + PAGE}" if start + PAGE < len(rows) else None
                )
                links = {"next": {"href": self.next_page or following}}
                return 200, {"results": rows[start : start + PAGE], "_links": links}, {}
            case ["submissions", "bonus-payments"]:
                name = f"bonus-{len(self.set_up)}"
                self.set_up[name] = body["csv_bonuses"]
                return 201, {"id": name, "total_amount": 123.0}, {}
            case ["bulk-bonus-payments", name, "pay"]:
                self.paid.append(self.set_up[name])
                return 202, {}, {}
            case ["submissions", submission, "transition"]:
                assert body == {"action": "APPROVE"}
                self.submissions[submission]["status"] = "APPROVED"
                return 200, self.submissions[submission], {}
            case ["messages"]:
                self.sent.append(body)
                return 201, {}, {}
            case ["hooks", "secrets"]:
                return 201, {"value": "the-secret-of-the-workspace"}, {}
            case ["hooks", "subscriptions"]:
                return 201, {"id": "sub-1", **body}, {"X-Hook-Secret": "handshake"}
            case ["hooks", "subscriptions", name]:
                self.confirmed.append(f"{name} {body['secret']}")
                return 200, {}, {}
        return 404, {"error": "no such resource"}, {}


@pytest.fixture
def prolific() -> Iterator[Prolific]:
    """A running stand-in."""
    server = Prolific()
    yield server
    server.stop()

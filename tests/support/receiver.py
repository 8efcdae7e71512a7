"""A real HTTP server on 127.0.0.1 that keeps what is posted to it and answers as it is told."""

import json
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.listening import Listening, Request, reply


class Receiver(Listening):
    """`status` is that of the next answers; `received` are paths and JSON values, in order."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.received: list[tuple[str, Any]] = []
        self.status = 204
        super().__init__(context)

    def answer(self, request: Request, body: bytes) -> None:
        assert request.headers["Content-Type"] == "application/json"
        self.received.append((request.path, json.loads(body)))
        reply(request, self.status, headers={"Location": "/elsewhere"})


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A running receiver."""
    server = Receiver()
    yield server
    server.stop()

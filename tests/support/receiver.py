"""A real HTTP server on 127.0.0.1 that keeps what is posted to it and answers as it is told."""

import json
import ssl
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest


class Receiver:
    """`answer` is the status of the next answers; `received` are paths and JSON values, in order.

    It speaks TLS where it is given a context.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.received: list[tuple[str, Any]] = []
        self.answer = 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.headers["Content-Type"] == "application/json"
                receiver.received.append((self.path, json.loads(body)))
                self.send_response(receiver.answer)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A running receiver."""
    server = Receiver()
    yield server
    server.stop()

"""A real HTTP server on 127.0.0.1, whose subclasses stand in for sites on the internet."""

import ssl
from abc import ABC, abstractmethod
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Request = BaseHTTPRequestHandler


class Listening(ABC):
    """`answer` gets each request with its body. The server speaks TLS if it is given a context."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        def handle(request: Request) -> None:
            body = request.rfile.read(int(request.headers["Content-Length"] or 0))
            self.answer(request, body)

        methods = {"do_GET": handle, "do_POST": handle, "log_message": lambda *words: None}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Request,), methods))
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    @abstractmethod
    def answer(self, request: Request, body: bytes) -> None:
        """Reply to a request."""

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def reply(request: Request, status: int, data: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
    """Send an answer."""
    request.send_response(status)
    for name, value in {**(headers or {}), "Content-Length": str(len(data))}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(data)

"""A connection that is kept open, and costs the machine that also serves the site as little as can be."""

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import urlencode

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_LOCATION = re.compile(rb"\r\nlocation: *([^\r]*)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *([^=;\r]+)=([^;\r]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """What came back for one request, without following where it leads."""

    status: int
    location: str
    body: bytes


class Connection:
    """One worker's connection, with the cookies of a browser. Raises OSError or EOFError where it breaks."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: dict[bytes, bytes] = {}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter

    async def request(self, method: str, path: str, form: dict[str, str] | None = None) -> Answer:
        """Send a request, and read the answer to its end."""
        if self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(self._written(method, path, form))
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        body = await self._reader.readexactly(int(length[1])) if length else b""
        for name, value in _COOKIE.findall(head):
            self._cookies[name] = value
        location = _LOCATION.search(head)
        return Answer(int(head[9:12]), location[1].decode() if location else "", body)

    def close(self) -> None:
        """Hang up."""
        if self._reader is not None:
            self._writer.close()
            self._reader = None

    def _written(self, method: str, path: str, form: dict[str, str] | None) -> bytes:
        body = urlencode(form).encode() if form is not None else b""
        lines = [f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n".encode()]
        if self._cookies:
            lines.append(
                b"Cookie: " + b"; ".join(b"%b=%b" % pair for pair in self._cookies.items()) + b"\r\n"
            )
        if form is not None:
            lines.append(
                b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n" % len(body)
            )
        return b"".join([*lines, b"\r\n", body])

"""The id of the current request. The request's log lines, response, error page and jobs contain this id."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-ID"
_SAFE: Final = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)

_fields: ContextVar[dict[str, object]] = ContextVar("plumbline_log_fields", default={})  # noqa: B039 - never mutated


def accepted(header: str | None) -> str:
    """Return the id in the proxy's header if it is safe to log, else a new id."""
    return header if header and _SAFE.fullmatch(header) else secrets.token_hex(8)


def fields() -> dict[str, object]:
    """Return the values to add to every log line of the current request or job."""
    return _fields.get()


def current() -> str:
    """Return the id of the current request, or of the request that created the current job, or ""."""
    return str(_fields.get().get("request_id", ""))


@contextmanager
def bound(**values: object) -> Iterator[None]:
    """Add the non-empty values to all lines that are logged inside the `with` block."""
    token = _fields.set(_fields.get() | {name: value for name, value in values.items() if value})
    try:
        yield
    finally:
        _fields.reset(token)

"""The id of the request under way: in its log lines, its answer, the page for faults, its jobs."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-ID"
_SAFE: Final = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)

_fields: ContextVar[dict[str, object]] = ContextVar("plumbline_log_fields", default={})  # noqa: B039 - never changed


def accepted(given: str | None) -> str:
    """The id that a proxy gave, if it can do no harm where it is written; else a new one."""
    return given if given and _SAFE.fullmatch(given) else secrets.token_hex(8)


def fields() -> dict[str, object]:
    """What every line of the log says of the work under way."""
    return _fields.get()


def current() -> str:
    """The id of the request under way, or of the one that asked for the job under way; else empty."""
    return str(_fields.get().get("request_id", ""))


@contextmanager
def bound(**values: object) -> Iterator[None]:
    """What is logged in this block says these values too; empty ones are left out."""
    token = _fields.set(_fields.get() | {name: value for name, value in values.items() if value})
    try:
        yield
    finally:
        _fields.reset(token)

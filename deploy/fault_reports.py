"""Faults of the program, reported to a Sentry server: where they happened, not whom they happened to.

Imported only where PLUMBLINE_SENTRY_DSN is set.
"""

from typing import Any, Final

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.types import Event, Hint

from judging.core.observing import request_ids

_OF_A_FRAME: Final = ("filename", "module", "function", "lineno", "in_app")
_OF_AN_EVENT: Final = (
    "event_id",
    "timestamp",
    "level",
    "platform",
    "logger",
    "release",
    "environment",
    "sdk",
)


def start(dsn: str, *, release: str) -> None:
    """Report from now on: from pages and from jobs, faults alone, no times and no sessions."""
    sentry_sdk.init(
        dsn=dsn,
        release=f"plumbline@{release}",
        environment="production",
        integrations=[
            DjangoIntegration(middleware_spans=False, signals_spans=False, cache_spans=False),
            CeleryIntegration(),
        ],
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        server_name="",
        before_send=only_where,
    )


def only_where(event: Event, hint: Hint) -> Event | None:
    """An event that says what kind of fault it was, and in which lines of the program.

    What it is made of is chosen, not struck out: an exception's own words stay here, since they may quote
    what somebody typed; they stand in the log, under the same request id. What is no fault is not reported.
    """
    if not (faults := event.get("exception", {}).get("values")):
        return None
    kept: Event = {}
    for name in _OF_AN_EVENT:
        if name in event:
            kept[name] = event[name]
    kept["contexts"] = {"runtime": event.get("contexts", {}).get("runtime", {})}
    kept["exception"] = {"values": [_fault(one) for one in faults]}
    kept["tags"] = {name: str(value) for name, value in request_ids.fields().items()}
    if event.get("transaction_info", {}).get("source") == "route":
        kept["transaction"] = event["transaction"]  # the pattern of an address, with names for its parts
    return kept


def _fault(one: dict[str, Any]) -> dict[str, Any]:
    frames = (one.get("stacktrace") or {}).get("frames", [])
    return {
        "type": one.get("type"),
        "module": one.get("module"),
        "mechanism": {"type": "generic", "handled": False},
        "stacktrace": {
            "frames": [{name: frame[name] for name in _OF_A_FRAME if name in frame} for frame in frames]
        },
    }

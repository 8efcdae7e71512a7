"""Error reports to a Sentry server. They say where in the code an error occurred, without personal data.

The settings import this module only if PLUMBLINE_SENTRY_DSN is set.
"""

from typing import Any, Final

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.types import Event, Hint

from judging.core.observing import request_ids

_FRAME_FIELDS: Final = ("filename", "module", "function", "lineno", "in_app")
_EVENT_FIELDS: Final = (
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
    """Start reporting errors in pages and jobs, without performance data or session counts."""
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
        before_send=strip_event,
    )


def strip_event(event: Event, hint: Hint) -> Event | None:
    """Return the event without personal data, or None if the event is not an error.

    The result says where in the code the error occurred, and has the route and the request id. It has no
    exception messages, because they can quote a user's input. The log has these messages, under the same
    request id.
    """
    if not (exceptions := event.get("exception", {}).get("values")):
        return None
    stripped: Event = {}
    for name in _EVENT_FIELDS:
        if name in event:
            stripped[name] = event[name]
    stripped["contexts"] = {"runtime": event.get("contexts", {}).get("runtime", {})}
    stripped["exception"] = {"values": [_strip_exception(exception) for exception in exceptions]}
    stripped["tags"] = {name: str(value) for name, value in request_ids.fields().items()}
    if event.get("transaction_info", {}).get("source") == "route":
        stripped["transaction"] = event["transaction"]  # the URL pattern, without its values
    return stripped


def _strip_exception(exception: dict[str, Any]) -> dict[str, Any]:
    frames = (exception.get("stacktrace") or {}).get("frames", [])
    return {
        "type": exception.get("type"),
        "module": exception.get("module"),
        "mechanism": {"type": "generic", "handled": False},
        "stacktrace": {
            "frames": [{name: frame[name] for name in _FRAME_FIELDS if name in frame} for frame in frames]
        },
    }

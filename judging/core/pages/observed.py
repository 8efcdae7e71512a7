"""Every request that comes to our pages gets an id, is counted and timed, and leaves a line in the log."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from judging.core.observing import request_ids
from judging.core.observing.requests import observe

NOT_LOGGED: Final = frozenset({"healthz", "readyz", "metrics", "favicon.ico"})
UNKNOWN: Final = "none"
"""The name of the route where there is none: whatever address was tried, it stands nowhere."""

log = logging.getLogger("plumbline.request")


class ObservedMiddleware:
    """Stands outside of all that can fail, but for static files, which never come here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = perf_counter()
        request_id = request_ids.accepted(request.headers.get(request_ids.HEADER))
        with request_ids.bound(request_id=request_id):
            response = self.get_response(request)
            response.headers[request_ids.HEADER] = request_id
            self._tell(route_of(request), request.method, response, perf_counter() - begun)
        return response

    def _tell(self, route: str, method: str | None, response: HttpResponseBase, seconds: float) -> None:
        observe(route, response.status_code, seconds)
        if route not in NOT_LOGGED and log.isEnabledFor(logging.INFO):
            log.info(
                "request",
                extra={
                    "route": route,
                    "method": method,
                    "status": response.status_code,
                    "ms": round(seconds * 1000, 1),
                    "bytes": len(response.content) if isinstance(response, HttpResponse) else None,
                },
            )


def route_of(request: HttpRequest) -> str:
    """The name of the address that was asked for, such as worker:judge."""
    match = request.resolver_match
    return match.view_name if match else UNKNOWN

"""Give every request an id, measure its duration, and log it."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from judging.core.observing import request_ids
from judging.core.observing.requests import observe

NOT_LOGGED: Final = frozenset({"healthz", "readyz", "metrics", "favicon.ico"})
UNKNOWN: Final = "none"
"""The route that metrics and logs show for all unknown addresses, instead of the addresses themselves."""

log = logging.getLogger("plumbline.request")


class ObservedMiddleware:
    """Give each request an id, measure its duration and log it.

    Only middleware that adds headers, redirects to HTTPS or serves static files may come before this
    middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = perf_counter()
        request_id = request_ids.accepted(request.headers.get(request_ids.HEADER))
        with request_ids.bound(request_id=request_id):
            response = self.get_response(request)
            response.headers[request_ids.HEADER] = request_id
            self._report(route_of(request), request.method, response, perf_counter() - started)
        return response

    def _report(self, route: str, method: str | None, response: HttpResponseBase, seconds: float) -> None:
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
    """Return the name of the requested route, such as `worker:judge`."""
    match = request.resolver_match
    return match.view_name if match else UNKNOWN

"""`/metrics`: what Prometheus reads. Numbers of studies by their names, never of a person or a document."""

import platform
from collections.abc import Iterator
from threading import Lock
from time import monotonic

import django
from django.conf import settings
from django.db import Error, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from judging.core import access
from judging.core.formats.software import plumbline_version
from judging.core.observing.requests import registry
from judging.limits import METRICS_SECONDS
from judging.site.counts import site_counts


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus alone: with the token of PLUMBLINE_METRICS_TOKEN; without one, from this machine."""
    allowed = access.may_read_metrics(
        token=settings.METRICS_TOKEN,
        authorization=request.headers.get("Authorization", ""),
        peer=request.META.get("REMOTE_ADDR", ""),
        forwarded=any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP")),
    )
    if not allowed:
        raise Http404
    together = CollectorRegistry()
    together.register(_Site())
    text = generate_latest(registry()) + generate_latest(together)
    return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


class _Counts:
    """The counts as they were last read; the threads of a process take turns at asking for them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read: list[Metric] = []
        self._until = 0.0

    def get(self) -> list[Metric]:
        """Raises Error where the database does not answer."""
        with self._lock:
            if self._until < monotonic():
                self._read = site_counts()
                self._until = monotonic() + METRICS_SECONDS
            return self._read

    def forget(self) -> None:
        self._until = 0.0


counts = _Counts()


class _Site:
    """What the database says, and which software this is."""

    def collect(self) -> Iterator[Metric]:
        versions = {"version": plumbline_version(), "python": platform.python_version()}
        build = versions | {"django": django.get_version(), "database": connection.vendor}
        yield InfoMetricFamily("plumbline_build", "The software of the site.", value=build)
        up = GaugeMetricFamily("plumbline_database_up", "1 where the database answers.")
        try:
            read = counts.get()
        except Error:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        yield from read

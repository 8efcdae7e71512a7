"""`/metrics` for Prometheus. The labels name studies, but no people or documents."""

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
    """Serve the metrics to requests that have the token PLUMBLINE_METRICS_TOKEN.

    If that setting is empty, serve the metrics only to requests from this machine.
    """
    allowed = access.may_read_metrics(
        token=settings.METRICS_TOKEN,
        authorization=request.headers.get("Authorization", ""),
        peer=request.META.get("REMOTE_ADDR", ""),
        forwarded=any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP")),
    )
    if not allowed:
        raise Http404
    site = CollectorRegistry()
    site.register(_Site())
    text = generate_latest(registry()) + generate_latest(site)
    return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


class _Counts:
    """A cache of the counts. A lock makes sure that only one thread at a time reads the counts."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._metrics: list[Metric] = []
        self._until = 0.0

    def get(self) -> list[Metric]:
        """Return the counts. Raise Error if the database does not answer."""
        with self._lock:
            if self._until < monotonic():
                self._metrics = site_counts()
                self._until = monotonic() + METRICS_SECONDS
            return self._metrics

    def forget(self) -> None:
        self._until = 0.0


counts = _Counts()


class _Site:
    """Collects the counts from the database, and the versions of the software."""

    def collect(self) -> Iterator[Metric]:
        versions = {"version": plumbline_version(), "python": platform.python_version()}
        build = versions | {"django": django.get_version(), "database": connection.vendor}
        yield InfoMetricFamily("plumbline_build", "The software of the site.", value=build)
        up = GaugeMetricFamily("plumbline_database_up", "1 if the database answers.")
        try:
            metrics = counts.get()
        except Error:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        yield from metrics

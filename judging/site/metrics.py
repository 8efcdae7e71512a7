"""`/metrics`: what Prometheus reads. Numbers of studies by their names, never of a person or a document."""

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import TypeVar

import django
from django.conf import settings
from django.db import Error, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from judging.core import access
from judging.core.clock import now
from judging.core.formats.software import plumbline_version
from judging.core.observing.requests import registry
from judging.limits import METRICS_SECONDS
from judging.models import JobKind
from judging.site.counts import Queue, SiteCounts, site_counts


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


@dataclass(frozen=True)
class _Read:
    counts: SiteCounts
    at: datetime
    until: float


class _Counts:
    """The counts as they were last read; the threads of a process take turns at asking for them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read: _Read | None = None

    def get(self) -> _Read:
        """Raises Error where the database does not answer."""
        with self._lock:
            if self._read is None or self._read.until < monotonic():
                self._read = _Read(site_counts(), now(), monotonic() + METRICS_SECONDS)
            return self._read

    def forget(self) -> None:
        self._read = None


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
        yield from _of_studies(read.counts)
        yield from _of_jobs(read.counts.queues, read.at)


Labels = TypeVar("Labels", bound=tuple[str, ...])


def _gauge(name: str, help_text: str, labels: tuple[str, ...], found: Mapping[Labels, float]) -> Metric:
    gauge = GaugeMetricFamily(f"plumbline_{name}", help_text, labels=labels)
    for key, value in sorted(found.items()):
        gauge.add_metric(key, value)
    return gauge


def _of_studies(counts: SiteCounts) -> Iterator[Metric]:
    yield _gauge(
        "study", "1 for each study, by its state.", ("study", "state"), dict.fromkeys(counts.studies, 1)
    )
    yield _gauge("units", "Units by their state.", ("study", "state"), counts.units)
    yield _gauge("judgments", "Judgments of completed units.", ("study",), _by_study(counts.judgments))
    yield _gauge("reservations", "Units that somebody is at.", ("study",), _by_study(counts.reservations))
    yield _gauge("check_failures", "Failures of the checks, as events.", ("study", "check"), counts.failures)


def _by_study(found: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    return {(slug,): number for slug, number in found.items()}


def _of_jobs(queues: list[Queue], at: datetime) -> Iterator[Metric]:
    every = {kind.value: Queue(kind.value) for kind in JobKind} | {queue.kind: queue for queue in queues}
    waited = {
        kind: max(0.0, (at - queue.oldest).total_seconds()) if queue.oldest else 0.0
        for kind, queue in every.items()
    }
    for name, help_text, found in (
        ("jobs_waiting", "Jobs that wait for a worker.", {kind: one.waiting for kind, one in every.items()}),
        ("jobs_oldest_seconds", "How long the oldest of these has waited.", waited),
        ("jobs_running", "Jobs that are being done.", {kind: one.running for kind, one in every.items()}),
        ("jobs_failed", "Jobs that were given up.", {kind: one.failed for kind, one in every.items()}),
    ):
        yield _gauge(name, help_text, ("kind",), _by_study(found))

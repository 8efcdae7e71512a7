"""Metrics of all studies and jobs, from a few queries that each use an index."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Sum
from prometheus_client.core import GaugeMetricFamily, Metric

from judging.core.clock import now
from judging.core.selectors.kinds import by_counted_in, counting
from judging.models import LIVE_JOBS, Assignment, Event, Job, JobKind, JobState, Study, Unit
from judging.models.fields import values
from judging.protocol.checks import letter_of_event
from judging.protocol.states import LIVE

Counts = dict[tuple[str, ...], float]
"""Maps the values of a metric's labels to the metric's value."""


def site_counts() -> list[Metric]:
    """Return the metrics of all studies and jobs. This always takes seven queries."""
    return [*_study_metrics(), *_job_metrics(now())]


def _study_metrics() -> Iterator[Metric]:
    studies = list(Study.objects.values_list("pk", "slug", "state"))
    slugs = {pk: slug for pk, slug, _ in studies}
    zeros: Counts = {(slug,): 0 for slug in slugs.values()}
    letters = letter_of_event()
    everywhere = by_counted_in(Study.objects.order_by())
    planned = Unit.objects.filter(counting(study="topic__study__")).order_by()
    units = planned.values_list("topic__study", "state").annotate(n=Count("pk"))
    attempts = Assignment.objects.filter(everywhere).order_by().values_list("topic__study")
    judged = attempts.filter(ended_at__isnull=False).annotate(n=Sum("judgment_count"))
    held = attempts.filter(state__in=values(LIVE)).annotate(n=Count("pk"))
    events = Event.objects.filter(everywhere).order_by().filter(kind__in=letters)
    failed = events.values_list("study", "kind").annotate(n=Count("pk"))

    def by_slug(rows: Iterable[tuple[Any, ...]]) -> Counts:
        # A study that is created between two queries is counted the next time.
        return {(slugs[study], *labels): n for study, *labels, n in rows if study in slugs}

    failures: Counts = {(slug, letters[kind]): n for (slug, kind), n in by_slug(failed).items()}
    states: Counts = {(slug, state): 1 for _, slug, state in studies}
    yield _gauge("study", "1 for each study, by state.", ("study", "state"), states)
    yield _gauge("units", "Units by state.", ("study", "state"), by_slug(units))
    yield _gauge("judgments", "Judgments of completed units.", ("study",), zeros | by_slug(judged))
    yield _gauge("reservations", "Units that a worker has reserved.", ("study",), zeros | by_slug(held))
    yield _gauge("check_failures", "Events of failed checks.", ("study", "check"), failures)


def _job_metrics(at: datetime) -> Iterator[Metric]:
    counted: Counter[tuple[str, str]] = Counter()
    oldest: dict[str, datetime] = {}
    jobs = Job.objects.order_by().filter(state__in=(*LIVE_JOBS, JobState.FAILED.value))
    rows = jobs.values_list("kind", "state").annotate(number=Count("pk"), first=Min("created_at"))
    for kind, state, number, first in rows:
        counted[kind, state] = number
        if state == JobState.QUEUED:
            oldest[kind] = first

    def in_state(state: JobState) -> Counts:
        return {(kind.value,): counted[kind.value, state.value] for kind in JobKind}

    waited: Counts = {
        (kind.value,): max(0.0, (at - oldest.get(kind.value, at)).total_seconds()) for kind in JobKind
    }
    label = ("kind",)
    yield _gauge("jobs_waiting", "Jobs waiting to start.", label, in_state(JobState.QUEUED))
    yield _gauge("jobs_oldest_seconds", "Seconds since the request of the oldest waiting job.", label, waited)
    yield _gauge("jobs_running", "Running jobs.", label, in_state(JobState.RUNNING))
    yield _gauge("jobs_failed", "Failed jobs.", label, in_state(JobState.FAILED))


def _gauge(name: str, help_text: str, labels: tuple[str, ...], counts: Counts) -> Metric:
    gauge = GaugeMetricFamily(f"plumbline_{name}", help_text, labels=labels)
    for key, value in sorted(counts.items()):
        gauge.add_metric(key, value)
    return gauge

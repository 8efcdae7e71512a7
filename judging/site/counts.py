"""What the site as a whole holds and does, for monitoring: a few questions, each read from an index."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Sum

from judging.models import LIVE_JOBS, Assignment, Event, Job, JobState, Study, Unit
from judging.models.fields import values
from judging.protocol.checks import letter_of_event
from judging.protocol.states import LIVE


@dataclass(frozen=True)
class Queue:
    """Jobs of a kind; `oldest` is when the one that has waited longest was asked for."""

    kind: str
    waiting: int = 0
    running: int = 0
    failed: int = 0
    oldest: datetime | None = None


@dataclass(frozen=True)
class SiteCounts:
    """`studies` are pairs of slug and state; other numbers stand by slug, and by what they are of."""

    studies: list[tuple[str, str]]
    units: dict[tuple[str, str], int]
    judgments: dict[str, int]
    reservations: dict[str, int]
    failures: dict[tuple[str, str], int]
    queues: list[Queue]


def site_counts() -> SiteCounts:
    """In six queries, whatever there is."""
    studies = {pk: (slug, state) for pk, slug, state in Study.objects.values_list("pk", "slug", "state")}
    slugs = {pk: slug for pk, (slug, _) in studies.items()}
    of_topic, letters = "topic__study", letter_of_event()
    units = Unit.objects.order_by().values_list(of_topic, "state").annotate(number=Count("pk"))
    judged = Assignment.objects.order_by().filter(ended_at__isnull=False).values_list(of_topic)
    held = Assignment.objects.order_by().filter(state__in=values(LIVE)).values_list(of_topic)
    failed = Event.objects.order_by().filter(kind__in=letters).values_list("study", "kind")
    none = dict.fromkeys(slugs.values(), 0)
    # A study may come between two of the questions: it is told the next time.
    return SiteCounts(
        studies=sorted(studies.values()),
        units={(slugs[study], state): number for study, state, number in units if study in slugs},
        judgments=none
        | {slugs[pk]: number for pk, number in judged.annotate(n=Sum("judgment_count")) if pk in slugs},
        reservations=none | {slugs[pk]: number for pk, number in held.annotate(n=Count("pk")) if pk in slugs},
        failures={
            (slugs[study], letters[kind]): number
            for study, kind, number in failed.annotate(n=Count("pk"))
            if study in slugs
        },
        queues=_queues(),
    )


def _queues() -> list[Queue]:
    found: dict[str, dict[str, int]] = {}
    oldest: dict[str, datetime] = {}
    states = (*LIVE_JOBS, JobState.FAILED.value)
    jobs = Job.objects.order_by().filter(state__in=states).values_list("kind", "state")
    for kind, state, number, first in jobs.annotate(number=Count("pk"), first=Min("created_at")):
        found.setdefault(kind, {})[state] = number
        if state == JobState.QUEUED:
            oldest[kind] = first
    return [
        Queue(
            kind,
            waiting=counts.get(JobState.QUEUED, 0),
            running=counts.get(JobState.RUNNING, 0),
            failed=counts.get(JobState.FAILED, 0),
            oldest=oldest.get(kind),
        )
        for kind, counts in sorted(found.items())
    ]

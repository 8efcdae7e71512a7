"""The notices that are due, computed from the data alone, and the people who get them.

Services do not send notices themselves. So no notice is lost if a process dies, and no request waits for a
mail server.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from judging.core.selectors.adaptive import adaptation_of, attempts_at
from judging.core.selectors.kinds import counted_in
from judging.limits import RECENT
from judging.models import (
    Actor,
    Assignment,
    AuditEntry,
    Job,
    JobKind,
    JobState,
    Notice,
    NoticeAbout,
    Role,
    Study,
    Unit,
    Watch,
)
from judging.protocol.states import AssignmentState, StudyState, UnitState
from judging.watching.selectors.thresholds import reached

_REQUESTED: Final = (
    JobKind.EXPORT.value,
    JobKind.SCORE.value,
    JobKind.IMPORT.value,
    JobKind.REPORT.value,
)

TOLD_AFTER: Final = 2
"""The number of failed attempts at a decision about further units after which people are told."""


@dataclass(frozen=True)
class DueNotice:
    """A notice to send.

    `by` is the kind of job that sends the notice: `notice` (by e-mail) or `webhook`. `key` depends only on
    the event and on `by`, so each notice is sent only once. If the notice is about a failed job that a person
    requested, `actor` is this person. Other notices, including those about decisions, have no `actor`.
    """

    about: NoticeAbout
    key: str
    study: Study | None
    actor: Actor = None
    facts: Mapping[str, object] = field(default_factory=dict)
    by: JobKind = JobKind.NOTICE


def due_notices(*, now: datetime) -> list[DueNotice]:
    """Return the notices about recent events (see `RECENT`), except notices that were already requested."""
    since = now - RECENT
    notices = [*_collected(since), *_closed(since), *_failed(since), *_undecided(since), *_reached(since)]
    keys = [notice.key for notice in notices]
    known = set(Notice.objects.filter(key__in=keys).values_list("key", flat=True))
    return [notice for notice in notices if notice.key not in known]


def recipients_of(job: Job) -> QuerySet[User]:
    """Return the recipients of a notice.

    If the notice is about a failed job that a person requested, this person is the only recipient. All other
    notices, including those about decisions, go to the people whom `people_of` returns for the study. Only
    active people with an e-mail address are included.
    """
    if job.requested_by_id is not None:
        return _reachable().filter(pk=job.requested_by_id)
    return people_of(job.study)


def people_of(study: Study | None) -> QuerySet[User]:
    """Return the owners and editors of a study.

    Return the superusers if `study` is None or the study has no members. Only active people with an e-mail
    address are included.
    """
    if study is None or not study.entrance.memberships.exists():
        return _reachable().filter(is_superuser=True)
    members = study.entrance.memberships.filter(role__in=(Role.OWNER.value, Role.EDITOR.value))
    return _reachable().filter(pk__in=members.values("user"))


def _reachable() -> QuerySet[User]:
    return User.objects.filter(is_active=True).exclude(email="").order_by("pk")


def _collected(since: datetime) -> Iterator[DueNotice]:
    """Yield a notice for each study in which all units are done, and which gets no further units."""
    kinds = counted_in(rehearsal=False)
    units = Unit.objects.filter(topic__study=OuterRef("pk"), kind__in=kinds)
    completed = Assignment.objects.filter(
        participation__study=OuterRef("pk"),
        participation__kind__in=kinds,
        state=AssignmentState.COMPLETED.value,
    )
    studies = Study.objects.filter(
        Exists(units.filter(state=UnitState.DONE.value)),
        ~Exists(units.filter(state__in=(UnitState.OPEN.value, UnitState.RESERVED.value))),
        Exists(completed.filter(ended_at__gte=since)),
        state__in=(StudyState.OPEN.value, StudyState.PAUSED.value),
        simulated=False,
    )
    last = completed.order_by("-ended_at", "-pk").values("pk")[:1]
    for study in studies.annotate(last=Subquery(last)).order_by("pk"):
        adaptation = adaptation_of(study)
        if adaptation and not adaptation.is_over:
            continue
        # If units are collected again, the last assignment is a different one, so a new notice is sent.
        yield DueNotice(NoticeAbout.COLLECTED, f"collected by {study.last}", study)


def _closed(since: datetime) -> Iterator[DueNotice]:
    closings = AuditEntry.objects.filter(verb="closed", at__gte=since, study__simulated=False)
    for entry in closings.select_related("study").order_by("pk"):
        if entry.detail.get("cancelled"):
            facts = {"closing": entry.pk}
            yield DueNotice(NoticeAbout.CLOSED, f"closed by {entry.pk}", entry.study, facts=facts)


def _reached(since: datetime) -> Iterator[DueNotice]:
    """Yield notices about reached thresholds, in studies with recent attempts.

    Each threshold has a notice for e-mail. If the study has a webhook, the threshold also has a notice for
    the webhook.
    """
    recent = Assignment.objects.filter(
        Q(started_at__gte=since) | Q(ended_at__gte=since),
        participation__study=OuterRef("study"),
        participation__kind__in=counted_in(rehearsal=False),
    )
    watches = Watch.objects.filter(Exists(recent), study__simulated=False).select_related("study")
    for watch in watches.order_by("study"):
        for threshold in reached(watch):
            for by in (JobKind.NOTICE, JobKind.WEBHOOK) if watch.webhook_url else (JobKind.NOTICE,):
                key = f"{by.value} {threshold.key}"
                yield DueNotice(NoticeAbout.THRESHOLD, key, watch.study, facts=threshold.facts, by=by)


def _failed(since: datetime) -> Iterator[DueNotice]:
    """Yield a notice for each failed job. Leave out the report jobs that Plumbline requested itself."""
    failed = Q(kind__in=_REQUESTED, state=JobState.FAILED.value, finished_at__gte=since)
    by_itself = Q(kind=JobKind.REPORT.value, requested_by__isnull=True)
    jobs = Job.objects.filter(failed).exclude(by_itself).select_related("study", "requested_by")
    for job in jobs.order_by("pk"):
        facts = {"job": job.pk}
        yield DueNotice(NoticeAbout.FAILED, f"failed job {job.pk}", job.study, job.requested_by, facts)


def _undecided(since: datetime) -> Iterator[DueNotice]:
    """Yield a notice for each adaptive study whose due decision has failed at least `TOLD_AFTER` times."""
    failed = Job.objects.filter(
        study=OuterRef("pk"),
        kind=JobKind.ALLOCATE.value,
        state=JobState.FAILED.value,
        finished_at__gte=since,
    )
    waiting = Study.objects.filter(
        Exists(failed), allocation="adaptive", state=StudyState.OPEN.value, simulated=False
    )
    for study in waiting.order_by("pk"):
        adaptation = adaptation_of(study)
        attempts = attempts_at(study, adaptation)
        if adaptation and attempts and attempts.failed and attempts.failures >= TOLD_AFTER:
            key = f"undecided {adaptation.decisions + 1} of study {study.pk}"
            yield DueNotice(NoticeAbout.FAILED, key, study, facts={"job": attempts.failed.pk})

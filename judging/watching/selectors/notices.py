"""What the people of a study are to be told, read from the data alone; and who they are.

No service says that a notice is due. So none is lost with the process that would have sent it, and nobody's
request waits for a mail server.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

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

_ASKED_FOR: Final = (
    JobKind.EXPORT.value,
    JobKind.SCORE.value,
    JobKind.IMPORT.value,
    JobKind.REPORT.value,
)


@dataclass(frozen=True)
class DueNotice:
    """`key` is the same whenever the same thing is found again; `actor` asked for the job that failed.

    `by` is `notice`, an e-mail, or `webhook`.
    """

    about: NoticeAbout
    key: str
    study: Study | None
    actor: Actor = None
    facts: Mapping[str, object] = field(default_factory=dict)
    by: JobKind = JobKind.NOTICE


def due_notices(*, now: datetime) -> list[DueNotice]:
    """What happened within `RECENT` and has not been told, nor is about to be."""
    since = now - RECENT
    found = [*_collected(since), *_closed(since), *_failed(since), *_reached(since)]
    keys = [notice.key for notice in found]
    asked = set(Notice.objects.filter(key__in=keys).values_list("key", flat=True))
    return [notice for notice in found if notice.key not in asked]


def people_to_tell(job: Job) -> QuerySet[User]:
    """Who asked for what failed, else the owners and editors; superusers where a study has no members.

    Only people who are active and have an address.
    """
    if job.requested_by_id is not None:
        return _reachable().filter(pk=job.requested_by_id)
    return people_of(job.study)


def people_of(study: Study | None) -> QuerySet[User]:
    """Who hears of a study, by name: its owners and editors, superusers where it has no members.

    Only people who are active and have an address.
    """
    if study is None or not study.memberships.exists():
        return _reachable().filter(is_superuser=True)
    told = study.memberships.filter(role__in=(Role.OWNER.value, Role.EDITOR.value))
    return _reachable().filter(pk__in=told.values("user"))


def _reachable() -> QuerySet[User]:
    return User.objects.filter(is_active=True).exclude(email="").order_by("pk")


def _collected(since: datetime) -> Iterator[DueNotice]:
    """Studies whose last unit is done. Units that are collected again end with another assignment."""
    units = Unit.objects.filter(topic__study=OuterRef("pk"))
    completed = Assignment.objects.filter(
        participation__study=OuterRef("pk"), state=AssignmentState.COMPLETED.value
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
        yield DueNotice(NoticeAbout.COLLECTED, f"collected by {study.last}", study)


def _closed(since: datetime) -> Iterator[DueNotice]:
    closings = AuditEntry.objects.filter(verb="closed", at__gte=since, study__simulated=False)
    for entry in closings.select_related("study").order_by("pk"):
        if entry.detail.get("cancelled"):
            facts = {"closing": entry.pk}
            yield DueNotice(NoticeAbout.CLOSED, f"closed by {entry.pk}", entry.study, facts=facts)


def _reached(since: datetime) -> Iterator[DueNotice]:
    """Thresholds, of studies where something has happened; by e-mail, and by webhook where there is one."""
    recent = Assignment.objects.filter(
        Q(started_at__gte=since) | Q(ended_at__gte=since), participation__study=OuterRef("study")
    )
    watches = Watch.objects.filter(Exists(recent), study__simulated=False).select_related("study")
    for watch in watches.order_by("study"):
        for one in reached(watch):
            for by in (JobKind.NOTICE, JobKind.WEBHOOK) if watch.webhook_url else (JobKind.NOTICE,):
                key = f"{by.value} {one.key}"
                yield DueNotice(NoticeAbout.THRESHOLD, key, watch.study, facts=one.facts, by=by)


def _failed(since: datetime) -> Iterator[DueNotice]:
    failed = Q(kind__in=_ASKED_FOR, state=JobState.FAILED.value, finished_at__gte=since)
    for job in Job.objects.filter(failed).select_related("study", "requested_by").order_by("pk"):
        facts = {"job": job.pk}
        yield DueNotice(NoticeAbout.FAILED, f"failed job {job.pk}", job.study, job.requested_by, facts)

"""Requests the jobs that are due: statistics of studies with new data, and notices.

Each notice is requested once, even if several processes look for notices at the same time.
"""

from datetime import datetime

from django.db import IntegrityError, transaction

from judging.core import mail
from judging.core.services import jobs
from judging.models import LIVE_JOBS, Actor, Job, JobKind, Notice, Study
from judging.watching.selectors.notices import DueNotice, due_notices
from judging.watching.selectors.worker_statistics import studies_to_compute


def request_statistics(*, now: datetime) -> int:
    """Request the statistics of every study that has new data, and return the number of studies."""
    studies = studies_to_compute(now=now)
    for study in studies:
        request_study_statistics(study=study, now=now)
    return len(studies)


@transaction.atomic
def request_study_statistics(*, study: Study, now: datetime, actor: Actor = None) -> Job:
    """Return the unfinished job that computes the statistics of a study, or request and return a new one."""
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    live = Job.objects.filter(kind=JobKind.STATISTICS.value, study=study, state__in=LIVE_JOBS).first()
    return live or jobs.request(kind=JobKind.STATISTICS, study=study, actor=actor, now=now)


def request_notices(*, now: datetime) -> int:
    """Request a job for each due notice, and return the number of new jobs.

    If the site has no mail server, no e-mails are requested.
    """
    due = due_notices(now=now)
    if not mail.is_set_up():
        due = [notice for notice in due if notice.by != JobKind.NOTICE]
    return sum(_request(notice, now) for notice in due)


def _request(due: DueNotice, now: datetime) -> int:
    """Request the job for a notice. Return 1, or 0 if another process has already requested it."""
    try:
        with transaction.atomic():
            job = jobs.request(
                kind=due.by,
                study=due.study,
                parameters={"about": due.about.value, **due.facts},
                actor=due.actor,
                now=now,
            )
            Notice.objects.create(key=due.key, job=job)
    except IntegrityError:
        return 0
    return 1

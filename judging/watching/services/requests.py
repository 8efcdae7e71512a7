"""Asking for the jobs that are due: statistics where there is something new, and notices.

Each notice is asked for once, whoever looks, and however many look at once.
"""

from datetime import datetime

from django.db import IntegrityError, transaction

from judging.core import mail
from judging.core.services import jobs
from judging.models import LIVE_JOBS, Actor, Job, JobKind, Notice, Study
from judging.watching.selectors.notices import DueNotice, due_notices
from judging.watching.selectors.worker_statistics import studies_to_compute


def request_statistics(*, now: datetime) -> int:
    """Ask for the statistics of every study where there is something new; returns of how many."""
    studies = studies_to_compute(now=now)
    for study in studies:
        ask_for_statistics(study=study, now=now)
    return len(studies)


@transaction.atomic
def ask_for_statistics(*, study: Study, now: datetime, actor: Actor = None) -> Job:
    """Ask for a job, once at a time for a study: the one that is waiting or under way is returned."""
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    live = Job.objects.filter(kind=JobKind.STATISTICS.value, study=study, state__in=LIVE_JOBS).first()
    return live or jobs.request(kind=JobKind.STATISTICS, study=study, actor=actor, now=now)


def request_notices(*, now: datetime) -> int:
    """Ask for a job for every notice that is due; returns how many. No e-mail without a mail server."""
    due = due_notices(now=now)
    if not mail.is_set_up():
        due = [one for one in due if one.by != JobKind.NOTICE]
    return sum(_request(one, now) for one in due)


def _request(due: DueNotice, now: datetime) -> int:
    """Returns 0 where somebody else was quicker."""
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

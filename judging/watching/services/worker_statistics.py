"""The statistics of a study's workers: asked for when there is something new."""

from datetime import datetime

from django.db import transaction

from judging.core.services import jobs
from judging.models import LIVE_JOBS, Actor, Job, JobKind, Study
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

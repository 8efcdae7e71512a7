"""Asking for what is done with a draft behind the page."""

from datetime import datetime
from typing import Any

from django.db import transaction

from judging.models import LIVE_JOBS, Draft, Job, JobKind
from judging.services import jobs


@transaction.atomic
def request_check(*, draft: Draft, now: datetime, actor: Any = None) -> Job:
    """Ask for the draft to be read whole; the last check's job takes the place of the one before."""
    locked = Draft.objects.select_for_update(no_key=True).get(pk=draft.pk)
    if locked.job_id is not None:
        Job.objects.filter(pk=locked.job_id).exclude(state__in=LIVE_JOBS).delete()
    parameters = {"draft": draft.pk, "serial": locked.serial}
    job = jobs.request(kind=JobKind.CHECK, parameters=parameters, actor=actor, now=now)
    Draft.objects.filter(pk=draft.pk).update(job=job)
    return job


def request_bundle(*, name: str, slug: str, now: datetime, actor: Any) -> Job:
    """Ask for the study of an uploaded bundle; `name` is its file, which the job deletes."""
    parameters = {"bundle": name, "slug": slug, "update": False}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)


def request_study(*, draft: Draft, now: datetime, actor: Any = None) -> Job:
    """Ask for the study of the draft to be made or, where it has one, brought up to it."""
    parameters = {"draft": draft.pk, "update": draft.study_id is not None}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)

"""Asking for the notices that are due: each once, whoever looks, and however many look at once."""

from datetime import datetime

from django.db import IntegrityError, transaction

from judging.core import mail
from judging.core.services import jobs
from judging.models import JobKind, Notice
from judging.watching.selectors.notices import DueNotice, due_notices


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

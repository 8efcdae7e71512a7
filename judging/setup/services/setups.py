"""Set-ups: changed by one person at a time, counted, and read whole behind the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import transaction

from judging.core.selectors.attempts import begun
from judging.core.services import jobs
from judging.core.services.deleting import clear_contents, end_previews, forget_setup
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.models import LIVE_JOBS, Actor, Job, JobKind, Setup, Study
from judging.protocol.states import StudyState
from judging.setup.making import still_set_up

OVER: Final = "Meanwhile the study was opened, or its changes were made or discarded: nothing was saved."
"""What somebody is told who still sets up what is set up no more."""


@contextmanager
def locked(setup: Setup) -> Iterator[Setup]:
    """Keep others from changing the set-up or opening its study meanwhile; give both as they are stored now.

    Raise RefusedError if there is nothing to set up any more: see `still_set_up`.
    """
    with transaction.atomic():
        stored = still_set_up(setup)
        if stored is None:
            raise RefusedError(OVER)
        yield stored


@transaction.atomic
def note_change(*, setup: Setup, now: datetime) -> None:
    """Count a change of what the study is read from: it has to be read again before it can open."""
    setup.version += 1
    setup.changed_at = now
    setup.save(update_fields=["version", "changed_at"])


@transaction.atomic
def request_check(*, setup: Setup, now: datetime, actor: Actor = None) -> Job:
    """Ask for the set-up to be read whole; the job takes the place of the last check's."""
    stored = Setup.objects.select_for_update(no_key=True).get(pk=setup.pk)
    if stored.job_id is not None:
        Job.objects.filter(pk=stored.job_id).exclude(state__in=LIVE_JOBS).delete()
    parameters = {"setup": stored.pk, "version": stored.version}
    job = jobs.request(kind=JobKind.CHECK, parameters=parameters, actor=actor, now=now)
    Setup.objects.filter(pk=stored.pk).update(job=job)
    return job


def request_bundle(*, name: str, slug: str, now: datetime, actor: Actor) -> Job:
    """Ask for the study of an uploaded bundle; `name` is its file, which the job deletes."""
    parameters = {"bundle": name, "slug": slug, "update": False}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)


def request_changes(*, setup: Setup, now: datetime, actor: Actor) -> Job:
    """Ask for the changes that are set up for a study to be made.

    Raise RefusedError unless the last check read them as they are now and found no fault.
    """
    study = setup.study.changes_to
    if study is None:
        raise RefusedError("Nothing was changed: this study has not been opened, so change it directly.")
    if not setup.is_read:
        raise RefusedError(
            "Nothing was changed: the set-up has faults, or was changed since it was last checked."
        )
    parameters = {"changes": study.slug, "update": True}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)


@transaction.atomic
def delete_draft(*, setup: Setup, now: datetime, actor: Actor) -> None:
    """Delete a draft with its files; of changes to a study only the changes.

    Raise RefusedError if the study has been opened: people may have taken part in it.
    """
    study = Study.with_hidden.select_for_update(no_key=True).get(pk=setup.study_id)
    if study.state != StudyState.DRAFT or begun(study):
        raise RefusedError(f"Study {study.slug} has been opened or judged, so it cannot be deleted.")
    if study.changes_to is None:
        audit("deleted", study=study, actor=actor, now=now)
    else:
        audit("changes_discarded", study=study.changes_to, actor=actor, now=now)
    forget_setup(study=study)
    end_previews(Study.with_hidden.filter(preview_of=study))
    clear_contents(study)
    study.delete()

"""Change a set-up, request its check, apply its changes, or delete it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.selectors.attempts import has_begun
from judging.core.services import jobs
from judging.core.services.deleting import clear_contents, end_previews, forget_setup
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.models import LIVE_JOBS, Actor, Job, JobKind, Setup, Study
from judging.protocol.states import StudyState
from judging.protocol.words import gettext_noop
from judging.setup.making import lock_setup

NOT_EDITABLE: Final = gettext_noop(
    "Nothing was saved, because somebody has opened the study, or has applied or discarded its changes."
)


@contextmanager
def locked(setup: Setup) -> Iterator[Setup]:
    """Lock the set-up and its study during a `with` block, and yield the set-up with its current values.

    Raise RefusedError if nobody can edit the set-up any longer: see `lock_setup`.
    """
    with transaction.atomic():
        stored = lock_setup(setup)
        if stored is None:
            raise RefusedError(_(NOT_EDITABLE))
        yield stored


@transaction.atomic
def note_change(*, setup: Setup, now: datetime) -> None:
    """Record a new version of the set-up. The study can open only after a check has read this version."""
    setup.version += 1
    setup.changed_at = now
    setup.save(update_fields=["version", "changed_at"])


@transaction.atomic
def request_check(*, setup: Setup, now: datetime, actor: Actor = None) -> Job:
    """Request a check of the set-up, and return the job, which replaces the job of the last check."""
    stored = Setup.objects.select_for_update(no_key=True).get(pk=setup.pk)
    if stored.job_id is not None:
        Job.objects.filter(pk=stored.job_id).exclude(state__in=LIVE_JOBS).delete()
    parameters = {"setup": stored.pk, "version": stored.version}
    job = jobs.request(kind=JobKind.CHECK, parameters=parameters, actor=actor, now=now)
    Setup.objects.filter(pk=stored.pk).update(job=job)
    return job


def request_upload(*, name: str, slug: str, now: datetime, actor: Actor) -> Job:
    """Request the import of an uploaded study that needs no set-up. The job deletes the upload.

    `name` is the name of a bundle, or of a folder with a study for analysis. The bundle or folder must be in
    the folder of all set-ups.
    """
    parameters = {"bundle": name, "slug": slug, "update": False}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)


def request_changes(*, setup: Setup, now: datetime, actor: Actor) -> Job:
    """Request a job that applies a draft of changes to its study.

    Raise RefusedError unless the last check read the current version and found no problems.
    """
    study = setup.study.changes_to
    if study is None:
        raise RefusedError(
            _("Nothing was changed. This study has not been opened, so you can edit its set-up directly.")
        )
    if not setup.is_read:
        raise RefusedError(
            _(
                "Nothing was changed. The set-up has problems, or it has changed since the last check."
                " Check it again."
            )
        )
    parameters = {"changes": study.slug, "update": True}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)


@transaction.atomic
def delete_draft(*, setup: Setup, now: datetime, actor: Actor) -> None:
    """Delete a draft with its files. If it is a draft of changes, the study itself stays.

    A draft of a new study cannot be deleted once the study has been opened or has judgments. In this case,
    raise RefusedError.
    """
    study = Study.with_hidden.select_for_update(no_key=True).get(pk=setup.study_id)
    if study.state != StudyState.DRAFT or has_begun(study):
        text = _("Study {slug} has been opened or has judgments, so you cannot delete it.")
        raise RefusedError(text.format(slug=study.slug))
    if study.changes_to is None:
        audit("deleted", study=study, actor=actor, now=now)
    else:
        audit("changes_discarded", study=study.changes_to, actor=actor, now=now)
    forget_setup(study=study)
    end_previews(Study.with_hidden.filter(preview_of=study))
    clear_contents(study)
    study.delete()

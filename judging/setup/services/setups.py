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
    "Nothing was saved. In the meantime, the study was opened, or its changes were applied or discarded."
)


@contextmanager
def locked(setup: Setup) -> Iterator[Setup]:
    """Lock the set-up and its study for the block, and yield the set-up as stored now.

    Raise RefusedError if it can no longer be edited: see `lock_setup`.
    """
    with transaction.atomic():
        stored = lock_setup(setup)
        if stored is None:
            raise RefusedError(_(NOT_EDITABLE))
        yield stored


@transaction.atomic
def note_change(*, setup: Setup, now: datetime) -> None:
    """Count a change of the set-up: a check must read it again before the study can open."""
    setup.version += 1
    setup.changed_at = now
    setup.save(update_fields=["version", "changed_at"])


@transaction.atomic
def request_check(*, setup: Setup, now: datetime, actor: Actor = None) -> Job:
    """Request a check of the set-up, and return its job, which replaces the job of the last check."""
    stored = Setup.objects.select_for_update(no_key=True).get(pk=setup.pk)
    if stored.job_id is not None:
        Job.objects.filter(pk=stored.job_id).exclude(state__in=LIVE_JOBS).delete()
    parameters = {"setup": stored.pk, "version": stored.version}
    job = jobs.request(kind=JobKind.CHECK, parameters=parameters, actor=actor, now=now)
    Setup.objects.filter(pk=stored.pk).update(job=job)
    return job


def request_bundle(*, name: str, slug: str, now: datetime, actor: Actor) -> Job:
    """Request the import of an uploaded bundle; `name` is its file, which the job deletes."""
    parameters = {"bundle": name, "slug": slug, "update": False}
    return jobs.request(kind=JobKind.IMPORT, parameters=parameters, actor=actor, now=now)


def request_changes(*, setup: Setup, now: datetime, actor: Actor) -> Job:
    """Request that the changes of a study be applied.

    Raise RefusedError unless the last check read the current version and found no faults.
    """
    study = setup.study.changes_to
    if study is None:
        raise RefusedError(_("Nothing was changed. This study has not been opened, so change it directly."))
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
    """Delete a draft with its files. A draft of changes is deleted without its study.

    Raise RefusedError if the study has been opened or judged.
    """
    study = Study.with_hidden.select_for_update(no_key=True).get(pk=setup.study_id)
    if study.state != StudyState.DRAFT or has_begun(study):
        text = _("Study {slug} has been opened or judged, so you cannot delete it.")
        raise RefusedError(text.format(slug=study.slug))
    if study.changes_to is None:
        audit("deleted", study=study, actor=actor, now=now)
    else:
        audit("changes_discarded", study=study.changes_to, actor=actor, now=now)
    forget_setup(study=study)
    end_previews(Study.with_hidden.filter(preview_of=study))
    clear_contents(study)
    study.delete()

"""The job `import`: import or update a study, import a bundle, or apply the changes of a set-up."""

import time
from collections.abc import Iterable, Iterator, Sized
from pathlib import Path
from shutil import rmtree
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import transaction

from judging.core.clock import now
from judging.core.faults import Faults, StudyRefusedError
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.core.stored_sentences import to_json
from judging.core.study_imports import Imported
from judging.models import Job, Role, Setup, Study
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.study_values import setup_values
from judging.setup.making import adopt_setup, lock_setup
from judging.setup.reading import assemble_setup
from judging.setup.study_files.importing import import_study, summarize_import
from judging.setup.study_files.updating import update_study

Item = TypeVar("Item")
_ACCOUNT_DELETED: Final = _(
    "The account that requested this job was deleted. Request the job again from another account."
)
_PAUSE: Final = 1.0
"""Seconds between two progress reports. Each report is a query, so a report on every line would be too slow.
"""


def run_import(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Import or update the study of a job, and return the result of the job: see `result_of`.

    If an earlier attempt at the job already wrote the study, write nothing. Raise StudyRefusedError as
    `import_study` does.
    """
    if job.study is not None:
        return dict(job.result)

    if "changes" in job.parameters:
        return apply_changes(job, Steps(progress))
    if "bundle" in job.parameters:
        return import_upload(job, Steps(progress))

    def keep_result(imported: Imported) -> None:
        jobs.store_study(job=job, study=imported.study, result=result_of(imported))

    imported = import_study(
        job.parameters["path"],
        slug=job.parameters["slug"],
        update=job.parameters["update"],
        replace=job.parameters.get("replace", False),
        now=now(),
        progress=Steps(progress),
        written=keep_result,
        actor=job.requested_by,
    )
    return result_of(imported)


def apply_changes(job: Job, steps: "Steps") -> dict[str, Any]:
    """Apply the changes of a draft in the same way as `import_study --update` applies a study file.

    The set-up of the changes replaces the set-up of the study, and the draft of the changes is deleted. Raise
    StudyRefusedError if a change is not allowed. Raise RefusedError if the draft no longer exists, or if the
    account that requested the job was deleted. Also raise RefusedError if somebody edited the changes while
    this function was reading them, because deleting the draft would lose those edits.
    """
    setup = (
        Setup.objects.select_related("study__changes_to")
        .filter(study__changes_to__slug=job.parameters["changes"])
        .first()
    )
    if setup is None or setup.study.changes_to is None:
        raise RefusedError(_("These changes have already been applied or discarded."))
    if job.requested_by is None:
        raise RefusedError(_ACCOUNT_DELETED)
    faults, moment, requester = Faults(), now(), job.requested_by
    prefix = f"{setup.folder}/"
    values = setup_values(setup)
    try:
        content = assemble_setup(setup, faults, steps)
        faults.raise_if_any()
        with transaction.atomic():
            study = setup.study.changes_to
            planned = update_study(study, content, faults, now=moment, progress=steps, actor=requester)
            stored = lock_setup(setup)
            if stored is None or setup_values(stored) != values:
                raise RefusedError(
                    _(
                        "Nothing was changed, because the set-up was edited in the meantime."
                        " Apply the changes again."
                    )
                )
            adopt_setup(study=study, setup=setup)
            imported = summarize_import(Study.objects.get(pk=study.pk), content, planned)
            result = result_of(imported, prefix)
            jobs.store_study(job=job, study=imported.study, result=result)
    except StudyRefusedError as refusal:
        raise refusal.without(prefix) from None
    return result


def import_upload(job: Job, steps: "Steps") -> dict[str, Any]:
    """Import an uploaded bundle, or the folder of a study for analysis, and delete the upload.

    The user who uploaded the file becomes the owner of the study. Raise StudyRefusedError if the upload has
    problems. The paths in the messages of this error are relative to the upload. Raise RefusedError if the
    account of this user was deleted.
    """
    path = Path(settings.DRAFTS_FOLDER) / job.parameters["bundle"]
    moment, requester = now(), job.requested_by

    def keep_result(imported: Imported) -> None:
        assert requester is not None
        set_role(study=imported.study, user=requester, role=Role.OWNER, now=moment, actor=requester)
        jobs.store_study(job=job, study=imported.study, result=result_of(imported, f"{path}/"))

    try:
        if requester is None:
            raise RefusedError(_ACCOUNT_DELETED)
        imported = import_study(
            path,
            slug=job.parameters["slug"],
            now=moment,
            progress=steps,
            written=keep_result,
            enclosed=True,
            actor=requester,
        )
    except StudyRefusedError as refusal:
        raise (
            refusal.without(f"{path}/") if path.is_dir() else refusal.without(str(path), "bundle.zip")
        ) from None
    finally:
        if path.is_dir():
            rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
    return result_of(imported, f"{path}/")


def result_of(imported: Imported, prefix: str = "") -> dict[str, Any]:
    """Return the result of an import job: the study's slug, the counts and the notices.

    `prefix` is the path of a folder on the server. The notices in the result do not contain this path.
    """
    return {
        "study": imported.study.slug,
        "topics": imported.topics,
        "documents": imported.documents,
        "runs": imported.runs,
        "units_planned": imported.units_planned,
        "judgments": imported.judgments,
        "arms": imported.arms,
        "notices": [to_json(notice, without=prefix) for notice in imported.notices],
    }


class Steps:
    """Tells the job how far each step of an import has got. Call an instance as you call `tqdm`."""

    def __init__(self, progress: jobs.Progress) -> None:
        self._progress = progress

    def __call__(
        self, items: Iterable[Item], /, *, desc: str, unit: str, total: int | None = None
    ) -> Iterator[Item]:
        expected = total or (len(items) if isinstance(items, Sized) else 0)
        last_report = time.monotonic()
        for done, item in enumerate(items, start=1):
            yield item
            if time.monotonic() - last_report >= _PAUSE:
                self._progress(done, expected)
                last_report = time.monotonic()

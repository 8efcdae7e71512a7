"""`import`: a study file, with everything it points to, into the database."""

import time
from collections.abc import Iterable, Iterator, Sized
from pathlib import Path
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import transaction

from judging.core.clock import now
from judging.core.intake.faults import Faults, StudyRefusedError
from judging.core.intake.imported import Imported
from judging.core.intake.study_values import setup_values
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.core.stored_sentences import to_json
from judging.models import Job, Role, Setup, Study
from judging.setup.making import adopt_setup, still_set_up
from judging.setup.reading import assemble_setup
from judging.setup.study_files.importing import import_study, imported_of
from judging.setup.study_files.updating import update_study

Thing = TypeVar("Thing")
_PAUSE: Final = 1.0
"""Seconds between two words on how far it is: a job's clock is the database's, not for every line."""


def bring_in(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Import or update the study of an import job; returns what `result_of` makes of it.

    A job that has written its study before, and was taken for lost then, writes nothing again. Raises
    StudyRefusedError as `import_study` does.
    """
    if job.study is not None:
        return dict(job.result)

    if "changes" in job.parameters:
        return make_changes(job, Steps(progress))
    if "bundle" in job.parameters:
        return import_uploaded_bundle(job, Steps(progress))

    def written(imported: Imported) -> None:
        jobs.keep(job=job, study=imported.study, result=result_of(imported))

    imported = import_study(
        job.parameters["path"],
        slug=job.parameters["slug"],
        update=job.parameters["update"],
        now=now(),
        progress=Steps(progress),
        written=written,
        actor=job.requested_by,
    )
    return result_of(imported)


def make_changes(job: Job, steps: "Steps") -> dict[str, Any]:
    """Make the changes that are set up for a study, as `import_study --update` makes those of a file.

    The set-up of the changes becomes that of the study. Raise StudyRefusedError for what may not change, and
    RefusedError if the changes, or the account that asked, are gone, or if somebody changed them meanwhile:
    the draft of them is deleted in the end, and what was not read yet would go with it.
    """
    setup = (
        Setup.objects.select_related("study__changes_to")
        .filter(study__changes_to__slug=job.parameters["changes"])
        .first()
    )
    if setup is None or setup.study.changes_to is None:
        raise RefusedError("The changes were made or discarded already.")
    if job.requested_by is None:
        raise RefusedError("The account that asked for this was deleted.")
    faults, moment, asker = Faults(), now(), job.requested_by
    prefix = f"{setup.folder}/"
    said = setup_values(setup)
    try:
        content = assemble_setup(setup, faults, steps)
        faults.raise_if_any()
        with transaction.atomic():
            study = setup.study.changes_to
            planned = update_study(study, content, faults, now=moment, progress=steps, actor=asker)
            stored = still_set_up(setup)
            if stored is None or setup_values(stored) != said:
                raise RefusedError("Nothing was changed: the set-up was changed meanwhile. Make it again.")
            adopt_setup(study=study, setup=setup)
            imported = imported_of(Study.objects.get(pk=study.pk), content, planned)
            result = result_of(imported, prefix)
            jobs.keep(job=job, study=imported.study, result=result)
    except StudyRefusedError as refusal:
        raise StudyRefusedError([line.replace(prefix, "") for line in refusal.lines]) from None
    return result


def import_uploaded_bundle(job: Job, steps: "Steps") -> dict[str, Any]:
    """Import a bundle that came by the console, and delete its file; whoever sent it becomes the owner.

    Raises StudyRefusedError with places in the bundle alone, and RefusedError where the account is gone.
    """
    path, moment, asker = Path(settings.DRAFTS_FOLDER) / job.parameters["bundle"], now(), job.requested_by

    def written(imported: Imported) -> None:
        assert asker is not None
        set_role(study=imported.study, user=asker, role=Role.OWNER, now=moment, actor=asker)
        jobs.keep(job=job, study=imported.study, result=result_of(imported))

    try:
        if asker is None:
            raise RefusedError("The account that asked for this was deleted.")
        imported = import_study(
            path, slug=job.parameters["slug"], now=moment, progress=steps, written=written, actor=asker
        )
    except StudyRefusedError as refusal:
        raise StudyRefusedError([line.replace(str(path), "bundle.zip") for line in refusal.lines]) from None
    finally:
        path.unlink(missing_ok=True)
    return result_of(imported)


def result_of(imported: Imported, prefix: str = "") -> dict[str, Any]:
    """What was imported, as a job keeps it: the study's slug, how much of each kind, and the notices.

    `prefix` is the server's folder, which the notices shall not name.
    """
    return {
        "study": imported.study.slug,
        "topics": imported.topics,
        "documents": imported.documents,
        "runs": imported.runs,
        "units_planned": imported.units_planned,
        "judgments": imported.judgments,
        "notices": [to_json(notice, without=prefix) for notice in imported.notices],
    }


class Steps:
    """Called as tqdm is; tells the job how far each step of an import has come."""

    def __init__(self, progress: jobs.Progress) -> None:
        self._progress = progress

    def __call__(
        self, things: Iterable[Thing], /, *, desc: str, unit: str, total: int | None = None
    ) -> Iterator[Thing]:
        expected = total or (len(things) if isinstance(things, Sized) else 0)
        told = time.monotonic()
        for done, thing in enumerate(things, start=1):
            yield thing
            if time.monotonic() - told >= _PAUSE:
                self._progress(done, expected)
                told = time.monotonic()

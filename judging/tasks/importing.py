"""`import`: a study file, with everything it points to, into the database."""

import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any, Final

from judging.exports.bundle_gains import check_gains
from judging.intake import Imported, import_study
from judging.models import Job
from judging.selectors.clock import now
from judging.services import jobs

_PAUSE: Final = 1.0
"""Seconds between two words on how far it is: a job's clock is the database's, not for every line."""


def bring_in(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Import or update the study of an import job; returns what `result_of` makes of it.

    A job that has written its study before, and was taken for lost then, writes nothing again. Raises
    StudyRefusedError as `import_study` does.
    """
    if job.study is not None:
        return dict(job.result)

    def written(imported: Imported) -> None:
        check_gains(job.parameters["path"], imported)
        jobs.keep(job=job, study=imported.study, result=result_of(imported))

    imported = import_study(
        job.parameters["path"],
        slug=job.parameters["slug"],
        update=job.parameters["update"],
        now=now(),
        progress=_Steps(progress),
        written=written,
    )
    return result_of(imported)


def result_of(imported: Imported) -> dict[str, Any]:
    """What was imported, as a job keeps it: the study's slug, how much of each kind, and the notices."""
    return {
        "study": imported.study.slug,
        "topics": imported.topics,
        "documents": imported.documents,
        "runs": imported.runs,
        "units_planned": imported.units_planned,
        "judgments": imported.judgments,
        "notices": imported.notices,
    }


class _Steps:
    """Called as tqdm is; tells the job how far each step of an import has come."""

    def __init__(self, progress: jobs.Progress) -> None:
        self._progress = progress

    def __call__(
        self, things: Iterable[Any], /, *, desc: str, unit: str, total: int | None = None
    ) -> Iterator[Any]:
        expected = total or (len(things) if isinstance(things, Sized) else 0)
        told = time.monotonic()
        for done, thing in enumerate(things, start=1):
            yield thing
            if time.monotonic() - told >= _PAUSE:
                self._progress(done, expected)
                told = time.monotonic()
